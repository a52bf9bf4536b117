import type { EntityManager } from '@mikro-orm/postgresql';
import { isTerminal, moveByHand, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { changeStatus } from './change-status.ts';
import { dropReturnNote } from './drop-return-note.ts';
import { refuseUnlessReady } from './refuse-unless-quiet.ts';
import { withReturn, type LockedReturn } from './lock-return.ts';
import { publishNote } from './publish-note.ts';

export interface StatusByHand {
  returnId: number;
  status: ReturnStatus;
  noteId: number | null;
}

/**
 * Sets the status of a return by hand, where `movesByHand` permits the move (spec 4.8). Approval approves every line
 * in full.
 *
 * Safe to repeat: the same status again is answered unchanged, and nothing is written.
 *
 * Refused with: 404 unknown return · 400 a move that is not in the table, any move from a final status · 409 `return_not_ready`.
 */
export async function setReturnStatus(
  em: EntityManager,
  { returnId, status, noteId }: StatusByHand,
): Promise<{ status: ReturnStatus }> {
  return withReturn(em, returnId, async (tx, { rma }) => {
    const next = moveByHand(rma.status, status);
    if (next === rma.status) {
      await dropReturnNote(tx, noteId);
      return { status: next };
    }
    // A return with unfinished creation may be refused but not moved on: its initialisation would run on top of that.
    if (!isTerminal(next)) refuseUnlessReady(rma);
    grant(rma, next);
    await changeStatus(tx, rma, next);
    await publishNote(tx, rma, noteId);
    return { status: next };
  });
}

/** An authorisation or an approval grants the requested quantities. */
function grant(rma: LockedReturn, status: ReturnStatus): void {
  if (status !== 'approved' && status !== 'authorized') return;
  for (const item of rma.items) {
    item.qtyAuthorized = item.qtyRequested;
    if (status === 'approved') item.qtyApproved = item.qtyRequested;
  }
}
