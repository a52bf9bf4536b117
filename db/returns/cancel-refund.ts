import type { EntityManager } from '@mikro-orm/postgresql';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { refuseUnlessParked } from '../../domain/returns/settle-rules.ts';
import { addReturnComment } from './add-return-comment.ts';
import { changeStatus } from './change-status.ts';
import { dropReturnNote } from './drop-return-note.ts';
import { refuseUnlessReady, refuseWhileRefunding } from './refuse-unless-quiet.ts';
import { withReturn } from './lock-return.ts';
import { publishNote } from './publish-note.ts';

/**
 * Cancels the refund of a parked return: the goods stay, the money is refunded later or never (spec 3.2).
 *
 * Safe to repeat: a `received` return is answered unchanged, and nothing is written.
 *
 * Refused with: 404 unknown return · 409 `gateway_uncertain` while an attempt is open · 409 `return_not_ready` · 400
 * any other status, the final ones too.
 */
export async function cancelRefund(
  em: EntityManager,
  { returnId, noteId }: { returnId: number; noteId: number | null },
): Promise<{ status: ReturnStatus }> {
  return withReturn(em, returnId, async (tx, { rma }) => {
    if (rma.status === 'received') {
      await dropReturnNote(tx, noteId);
      return { status: rma.status };
    }
    refuseUnlessParked(rma.status);
    await refuseWhileRefunding(tx, rma);
    refuseUnlessReady(rma);
    rma.refundMethod = null;
    await changeStatus(tx, rma, 'received');
    await addReturnComment(tx, { returnId, comment: 'The refund was cancelled; the goods stay.', status: rma.status });
    await publishNote(tx, rma, noteId);
    return { status: rma.status };
  });
}
