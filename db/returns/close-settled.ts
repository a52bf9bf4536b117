import type { EntityManager } from '@mikro-orm/postgresql';
import { handbackOf } from '../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import { addReturnComment } from './add-return-comment.ts';
import type { Return } from './return.entity.ts';

export interface Settled {
  rma: Return;
  memo: CreditMemo;
  method: SettleMethod;
  /** One sentence on how the booked legs differ from those expected; null when they do not. */
  difference: string | null;
}

/** Closes a return whose memo was booked in this transaction: totals, history and audit with it. */
export async function closeSettled(em: EntityManager, { rma, memo, method, difference }: Settled): Promise<void> {
  const before = rma.status;
  const { baseRefundTotal, baseHandback } = handbackOf({ base: memo.baseGrandTotal, order: memo.grandTotal }, []);
  rma.status = 'closed';
  rma.refundMethod = method;
  rma.creditMemoId = memo.entityId;
  rma.baseRefundTotal = baseRefundTotal;
  rma.baseHandback = baseHandback;
  rma.refundDifference = difference;
  rma.isReady = true;
  for (const item of rma.items) item.status = 'closed';
  addReturnComment(em, {
    returnId: rma.returnId,
    comment: `Settled by ${method}: credit memo ${memo.incrementId}.`,
    status: 'closed',
  });
  if (difference !== null) addReturnComment(em, { returnId: rma.returnId, comment: difference, status: 'closed' });
  await recordAudit(em, {
    entityType: 'return',
    entityId: String(rma.returnId),
    entityName: rma.incrementId,
    fieldName: 'status',
    oldValue: before,
    newValue: 'closed',
    changeSource: 'api',
  });
}
