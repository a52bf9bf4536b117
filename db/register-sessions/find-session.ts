import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { registerSessionNotFound, uuidReused } from '../../domain/refusals/register-sessions.ts';
import { freshReads } from '../support/fresh-reads.ts';
import { RegisterSession } from './register-session.entity.ts';

/** Locks a session for a change, before its drawer. Refused with 404 for an unknown one. */
export async function lockSession(tx: EntityManager, registerSessionUuid: string): Promise<RegisterSession> {
  const session = await tx.findOne(
    RegisterSession,
    { registerSessionUuid },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (!session) throw registerSessionNotFound([registerSessionUuid]);
  return session;
}

/** One session as it is now; null for an unknown one. */
export const knownSession = (em: EntityManager, registerSessionUuid: string): Promise<RegisterSession | null> =>
  freshReads(em).findOne(RegisterSession, { registerSessionUuid });

/** The same. Refused with 404 for an unknown one. */
export async function findSession(em: EntityManager, registerSessionUuid: string): Promise<RegisterSession> {
  const session = await knownSession(em, registerSessionUuid);
  if (!session) throw registerSessionNotFound([registerSessionUuid]);
  return session;
}

/** Refused with 422 where a UUID belongs to another request. */
export function refuseOtherBody(uuid: string, stored: { requestHash: string }, requestHash: string): void {
  if (stored.requestHash !== requestHash) throw uuidReused([uuid]);
}
