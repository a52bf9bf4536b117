import type { EntityManager } from '@mikro-orm/postgresql';
import type { FollowedSession } from '../../domain/register-sessions/session-words.ts';
import { databaseNow } from '../support/database-now.ts';
import { findSession } from './find-session.ts';
import { RegisterSession } from './register-session.entity.ts';

/** A session for its workflow. Refused with 404 for an unknown one. */
export async function lookAtSession(em: EntityManager, registerSessionUuid: string): Promise<FollowedSession> {
  const session = await findSession(em, registerSessionUuid);
  const now = await databaseNow(em);
  const { state, drawerId, terminalId, locationId, openedAt, forcedAfter } = session;
  return {
    ...{ registerSessionUuid, state, drawerId, terminalId, locationId },
    openedAt: openedAt.toISOString(),
    msUntilForced: forcedAfter.getTime() - now.getTime(),
  };
}

/** The same; it also records that the workflow follows the session. A repeat only reads. */
export async function followSession(em: EntityManager, registerSessionUuid: string): Promise<FollowedSession> {
  const now = await databaseNow(em);
  await em.nativeUpdate(RegisterSession, { registerSessionUuid, followedAt: null }, { followedAt: now });
  return lookAtSession(em, registerSessionUuid);
}

/** A new session gets its workflow within this time. */
const quietMs = 10_000;
/** A workflow that runs closes its session within this time after the night began. */
const overdueMs = 300_000;

/**
 * Open sessions that no workflow follows, because Temporal was away or the books are a copy; and those whose night is
 * over, because their workflow is lost.
 */
export async function findForgottenSessions(em: EntityManager, { limit }: { limit: number }): Promise<string[]> {
  const now = (await databaseNow(em)).getTime();
  const found = await em.find(
    RegisterSession,
    {
      state: { $ne: 'closed' },
      $or: [
        { followedAt: null, openedAt: { $lt: new Date(now - quietMs) } },
        { forcedAfter: { $lt: new Date(now - overdueMs) } },
      ],
    },
    { fields: ['registerSessionUuid'], orderBy: { sessionId: 'asc' }, limit },
  );
  return found.map(({ registerSessionUuid }) => registerSessionUuid);
}

/** Says of all open sessions that no workflow follows them: the minute's look starts one for each. */
export const unfollowSessions = (em: EntityManager): Promise<number> =>
  em.nativeUpdate(RegisterSession, { state: { $ne: 'closed' } }, { followedAt: null });
