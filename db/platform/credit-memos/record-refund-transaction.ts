import type { EntityManager } from '@mikro-orm/postgresql';
import type { LockedOrder } from '../orders/lock-order.ts';
import { PaymentTransaction } from '../orders/payment-transaction.entity.ts';
import { integer, orNull, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { insertRows, into } from '../../support/write-rows.ts';
import { shopNow } from '../../support/shop-clock.ts';

export interface RefundTransaction {
  order: LockedOrder;
  transactionId: string;
  rawTransaction?: Record<string, unknown>;
  /** The transaction that is refunded; absent: the order's own. */
  paidBy?: string | null;
}

/**
 * Keeps the provider's reference of a refund beside the order, under the payment that it refunds (platform facts 7.5,
 * 11). Safe to repeat: a reference is kept once per order, with the details of the first call.
 */
export async function recordRefundTransaction(em: EntityManager, refund: RefundTransaction): Promise<void> {
  const { order, transactionId, rawTransaction } = refund;
  const { entityId: paymentId, lastTransId } = order.payment;
  const { paidBy = lastTransId } = refund;
  const known = await read.all(em, { orderId: order.entityId, transactionId, paidBy });
  if (known.some((one) => one.txnType === 'refund' && one.txnId === transactionId)) return;
  const parent = known.find((one) => one.txnType !== 'refund' && one.txnId === paidBy);
  await insertRows(em, [
    into(PaymentTransaction, [
      {
        orderId: order.entityId,
        paymentId,
        txnId: transactionId,
        txnType: 'refund',
        parentId: parent?.transactionId ?? null,
        parentTxnId: paidBy,
        isClosed: true,
        additionalInformation: rawTransaction ?? {},
        createdAt: shopNow(),
      },
    ]),
  ]);
}

const read = statement({
  takes: { orderId: integer, transactionId: text, paidBy: orNull(text) },
  gives: of(PaymentTransaction, 'transactionId', 'txnId', 'txnType'),
  text: `
    select transaction_id, txn_id, txn_type from sales_payment_transaction
    where order_id = $orderId and txn_id in ($transactionId, $paidBy) order by transaction_id`,
});
