import type { EntityManager } from '@mikro-orm/postgresql';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { addReturnComment, withComment, type Noted } from './add-return-comment.ts';
import { changeStatus } from './change-status.ts';
import { returnGoodsToBuyer } from './return-goods-to-buyer.ts';
import { refuseWhileRefunding } from './refuse-unless-quiet.ts';
import { changeReturn, type OperationOnReturn } from './lock-return.ts';

/**
 * Ends a return without a refund: restocked goods leave their source again, never below zero; no memo (spec 3.2).
 *
 * Safe to repeat: a final status is answered unchanged, and each line moves once, by its movement row. A return whose
 * creation cannot be finished may be closed too; otherwise its creation would be retried for ever.
 *
 * Refused with: 404 unknown return · 409 `gateway_uncertain` while an attempt is open · 503 too late.
 */
export const closeReturn = (em: EntityManager, asked: OperationOnReturn & Noted): Promise<{ status: ReturnStatus }> =>
  changeReturn(em, asked, async (tx, { order, rma, done, refuseLate }) => {
    if (done || isTerminal(rma.status)) return { status: rma.status };
    await refuseWhileRefunding(tx, rma);
    refuseLate();
    rma.refundMethod = null;
    await changeStatus(tx, rma, 'closed');
    const { returnId, status } = rma;
    await addReturnComment(tx, { returnId, comment: 'Closed without a refund.', status });
    await withComment(tx, rma, asked);
    await returnGoodsToBuyer(tx, { order, rma });
    return { status };
  });
