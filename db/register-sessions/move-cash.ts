import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import type { Amount } from '../../domain/money.ts';
import {
  currencyNotOpened,
  registerSessionNotFound,
  sessionIsClosed,
  uuidReused,
} from '../../domain/refusals/register-sessions.ts';
import { refuseTooLate } from '../support/begin-before.ts';
import { transact } from '../support/transact.ts';
import { refuseOtherBody } from './find-session.ts';
import { RegisterSession, SessionMovement, type sessionMovementKinds } from './register-session.entity.ts';

export interface CashToMove {
  registerSessionUuid: string;
  movementUuid: string;
  kind: (typeof sessionMovementKinds)[number];
  /** Above zero; zero for `no_sale`. */
  amount: Amount;
  currency: string | null;
  reason: string;
  requestHash: string;
  beginBefore: string;
}

/**
 * Puts cash into a drawer, takes it out, or notes that it was opened without a sale. A repeat changes nothing; it finds
 * its movement also after the close.
 *
 * Refused with: 404 unknown session · 409 `session_closed` · 400 a currency that was not opened · 422 another body · 503
 * too late.
 */
export const moveCash = (em: EntityManager, { beginBefore, ...request }: CashToMove): Promise<void> =>
  transact(em, async (tx) => {
    const { registerSessionUuid, movementUuid, kind, amount, currency, reason, requestHash } = request;
    // For share: sales of the session do not wait for it, and a close does.
    const lock = { lockMode: LockMode.PESSIMISTIC_READ, refresh: true } as const;
    const session = await tx.findOne(RegisterSession, { registerSessionUuid }, lock);
    if (!session) throw registerSessionNotFound([registerSessionUuid]);
    if (await isStored(tx, session, request)) return;
    await refuseTooLate(tx, beginBefore);
    if (session.state === 'closed') throw sessionIsClosed([registerSessionUuid]);
    if (currency !== null && !session.opening.some((line) => line.currency === currency))
      throw currencyNotOpened([currency]);
    await tx.upsert(
      SessionMovement,
      { sessionId: session.sessionId, movementUuid, kind, amount, currency, reason, requestHash },
      { onConflictFields: ['movementUuid'], onConflictAction: 'ignore' },
    );
    // Another request of this UUID may have come first.
    await isStored(tx, session, request);
  });

async function isStored(
  tx: EntityManager,
  { sessionId }: RegisterSession,
  { movementUuid, requestHash }: Pick<CashToMove, 'movementUuid' | 'requestHash'>,
): Promise<boolean> {
  const stored = await tx.findOne(SessionMovement, { movementUuid }, { refresh: true });
  if (!stored) return false;
  refuseOtherBody(movementUuid, stored, requestHash);
  if (stored.sessionId !== sessionId) throw uuidReused([movementUuid]);
  return true;
}
