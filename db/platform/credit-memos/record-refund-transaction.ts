import type { EntityManager } from '@mikro-orm/postgresql';
import { paymentOf, type LockedOrder } from '../orders/lock-order.ts';
import { PaymentTransaction } from '../orders/payment-transaction.entity.ts';

export interface RefundTransaction {
  order: LockedOrder;
  transactionId: string;
  rawTransaction?: Record<string, unknown>;
}

/**
 * Keeps the provider's own reference of a refund beside the order (platform facts 7.5, 11), under the payment it gives
 * back from. Safe to repeat: a reference is kept once per order, with what came with it first.
 */
export async function recordRefundTransaction(em: EntityManager, refund: RefundTransaction): Promise<void> {
  const { order, transactionId, rawTransaction } = refund;
  const payment = paymentOf(order);
  const paidBy = payment.lastTransId ?? null;
  const known = await em.find(PaymentTransaction, {
    orderId: order.entityId,
    txnId: { $in: [transactionId, paidBy ?? ''] },
  });
  if (known.some((one) => one.txnType === 'refund' && one.txnId === transactionId)) return;
  const parent = known.find((one) => one.txnType !== 'refund' && one.txnId === paidBy);
  em.create(PaymentTransaction, {
    orderId: order.entityId,
    paymentId: payment.entityId,
    txnId: transactionId,
    txnType: 'refund',
    parentId: parent?.transactionId ?? null,
    parentTxnId: paidBy,
    isClosed: true,
    additionalInformation: rawTransaction ?? {},
  });
}
