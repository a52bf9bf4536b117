import type { EntityManager } from '@mikro-orm/postgresql';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { addReturnComment } from './add-return-comment.ts';
import { changeStatus } from './change-status.ts';
import { dropReturnNote } from './drop-return-note.ts';
import { returnGoodsToBuyer } from './return-goods-to-buyer.ts';
import { refuseWhileRefunding } from './refuse-unless-quiet.ts';
import { withReturn } from './lock-return.ts';
import { publishNote } from './publish-note.ts';

/**
 * Ends a return without a refund: restocked goods leave their source again, never below zero; no memo (spec 3.2).
 *
 * Safe to repeat: a final status is answered unchanged, and each line moves once, by its movement row. A return whose
 * creation cannot be finished may be closed too; otherwise its creation would be retried for ever.
 *
 * Refused with: 404 unknown return · 409 `gateway_uncertain` while an attempt is open.
 */
export async function closeReturn(
  em: EntityManager,
  { returnId, noteId }: { returnId: number; noteId: number | null },
): Promise<{ status: ReturnStatus }> {
  return withReturn(em, returnId, async (tx, { order, rma }) => {
    if (isTerminal(rma.status)) {
      await dropReturnNote(tx, noteId);
      return { status: rma.status };
    }
    await refuseWhileRefunding(tx, rma);
    rma.refundMethod = null;
    await changeStatus(tx, rma, 'closed');
    await addReturnComment(tx, { returnId, comment: 'Closed without a refund.', status: rma.status });
    await publishNote(tx, rma, noteId);
    await returnGoodsToBuyer(tx, { order, rma });
    return { status: rma.status };
  });
}
