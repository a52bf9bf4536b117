import type { EntityManager } from '@mikro-orm/postgresql';
import { conflict } from '../../domain/errors.ts';
import { uncertainty } from '../refunds/open-refund-attempt.ts';
import { findOpenAttempt } from '../refunds/refund-attempt.repository.ts';
import type { LockedReturn } from './lock-return.ts';

/** 409 `return_not_ready` while the creation of a return is unfinished. */
export function refuseUnlessReady(rma: LockedReturn): void {
  if (rma.isReady) return;
  const message = `Return ${rma.incrementId} is still being created. Nothing was changed; try again in a moment.`;
  throw conflict('return_not_ready', message, { return_id: rma.returnId });
}

/** 409 `gateway_uncertain` while money of a return may be on its way (spec 3.3). */
export async function refuseWhileRefunding(em: EntityManager, rma: LockedReturn): Promise<void> {
  const open = await openAttemptOf(em, rma);
  if (open) throw uncertainty(open);
}

/** The undecided attempt of a return. */
export const openAttemptOf = (em: EntityManager, rma: LockedReturn) => findOpenAttempt(em, rma);
