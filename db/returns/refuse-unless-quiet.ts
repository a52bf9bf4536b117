import type { EntityManager } from '@mikro-orm/postgresql';
import { conflict } from '../../domain/errors.ts';
import { uncertainty } from '../refunds/open-refund-attempt.ts';
import { RefundAttempt } from '../refunds/refund-attempt.entity.ts';
import type { Return } from './return.entity.ts';

/** 409 `return_not_ready` while the creation of a return is unfinished. */
export function refuseUnlessReady(rma: Return): void {
  if (rma.isReady) return;
  const message = `Return ${rma.incrementId} is still being created. Nothing was changed; try again in a moment.`;
  throw conflict('return_not_ready', message, { return_id: rma.returnId });
}

/** 409 `gateway_uncertain` while money of a return may be on its way (spec 3.3). */
export async function refuseWhileRefunding(em: EntityManager, rma: Return): Promise<void> {
  const open = await openAttemptOf(em, rma);
  if (open) throw uncertainty(open);
}

/** The attempt of a return nobody has decided about yet. */
export const openAttemptOf = (em: EntityManager, rma: Return) =>
  em.findOne(RefundAttempt, { returnId: rma.returnId, state: { $in: ['started', 'uncertain'] } });
