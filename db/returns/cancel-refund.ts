import type { EntityManager } from '@mikro-orm/postgresql';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { refuseUnlessParked } from '../../domain/returns/settle-rules.ts';
import { addReturnComment, withComment, type Noted } from './add-return-comment.ts';
import { changeStatus } from './change-status.ts';
import { refuseUnlessReady, refuseWhileRefunding } from './refuse-unless-quiet.ts';
import { changeReturn, type OperationOnReturn } from './lock-return.ts';

/**
 * Cancels the refund of a parked return: the goods stay, the money is refunded later or never (spec 3.2).
 *
 * Safe to repeat: a `received` return is answered unchanged, and nothing is written.
 *
 * Refused with: 404 unknown return · 409 `gateway_uncertain` while an attempt is open · 409 `return_not_ready` · 400
 * any other status, the final ones too · 503 too late.
 */
export const cancelRefund = (em: EntityManager, asked: OperationOnReturn & Noted): Promise<{ status: ReturnStatus }> =>
  changeReturn(em, asked, async (tx, { rma, done, refuseLate }) => {
    if (done || rma.status === 'received') return { status: rma.status };
    refuseUnlessParked(rma.status);
    await refuseWhileRefunding(tx, rma);
    refuseUnlessReady(rma);
    refuseLate();
    rma.refundMethod = null;
    await changeStatus(tx, rma, 'received');
    const { returnId, status } = rma;
    await addReturnComment(tx, { returnId, comment: 'The refund was cancelled; the goods stay.', status });
    await withComment(tx, rma, asked);
    return { status };
  });
