import type { EntityManager } from '@mikro-orm/postgresql';
import { isTerminal, moveByHand, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { withComment, type Noted } from './add-return-comment.ts';
import { changeStatus } from './change-status.ts';
import { refuseUnlessReady } from './refuse-unless-quiet.ts';
import { changeReturn, type LockedReturn, type OperationOnReturn } from './lock-return.ts';

export interface StatusByHand extends OperationOnReturn, Noted {
  status: ReturnStatus;
}

/**
 * Sets the status of a return by hand, where `movesByHand` permits the move (spec 4.8). Approval approves every line
 * in full.
 *
 * Safe to repeat: the same status again is answered unchanged, and nothing is written.
 *
 * Refused with: 404 unknown return · 400 a move that is not in the table, any move from a final status · 409
 * `return_not_ready` · 503 too late.
 */
export const setReturnStatus = (em: EntityManager, asked: StatusByHand): Promise<{ status: ReturnStatus }> =>
  changeReturn(em, asked, async (tx, { rma, done, refuseLate }) => {
    if (done) return { status: rma.status };
    const next = moveByHand(rma.status, asked.status);
    if (next === rma.status) return { status: next };
    // A return with unfinished creation may be refused but not moved on: its initialisation would run on top of that.
    if (!isTerminal(next)) refuseUnlessReady(rma);
    refuseLate();
    grant(rma, next);
    await changeStatus(tx, rma, next);
    await withComment(tx, rma, asked);
    return { status: next };
  });

/** An authorisation or an approval grants the requested quantities. */
function grant(rma: LockedReturn, status: ReturnStatus): void {
  if (status !== 'approved' && status !== 'authorized') return;
  for (const item of rma.items) {
    item.qtyAuthorized = item.qtyRequested;
    if (status === 'approved') item.qtyApproved = item.qtyRequested;
  }
}
