import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchOrder } from '../../domain/errors.ts';
import type { Amount } from '../../domain/money/amount.ts';
import { moneyText } from '../../domain/money/money-text.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { kept, saveRows } from '../support/kept-rows.ts';
import { integer } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { CreditRefund, type CreditRefundRow } from './credit-refund.entity.ts';
import { lockCreditRefund } from './credit-refund.repository.ts';
import { shopNow } from '../support/shop-clock.ts';

/** A provider's answer to a reserved refund. */
export interface CreditRefundConclusion {
  refundId: number;
  state: 'booked' | 'failed';
  transactionId?: string;
  remainingBalance?: Amount | null;
  message?: string;
}

/**
 * Books or releases a reservation. A booked one stays booked, whatever arrives later. A failed one is still booked
 * when a rival with the same key turns out to have given the credit.
 */
export const concludeCreditRefund = (
  em: EntityManager,
  { refundId, state, transactionId, remainingBalance, message }: CreditRefundConclusion,
): Promise<CreditRefundRow> =>
  transact(em, async (tx) => {
    const row = await lockCreditRefund(tx, refundId);
    if (row.state === 'booked' || row.state === state) return row;
    const { orderId } = row;
    row.state = state;
    row.concludedAt = shopNow();
    row.transactionId = transactionId ?? null;
    row.remainingBalance = remainingBalance ?? null;
    row.message = message?.slice(0, 1_000) ?? null;
    if (state === 'booked')
      await addOrderComment(tx, { orderId, comment: historyLine(row), status: await statusOf(tx, orderId) });
    await saveRows(tx, [kept(CreditRefund, [row])]);
    return row;
  });

async function statusOf(em: EntityManager, orderId: number): Promise<string> {
  const order = await readStatus.first(em, { orderId });
  if (!order) throw noSuchOrder(orderId);
  return order.status;
}

const readStatus = statement({
  takes: { orderId: integer },
  gives: of(Order, 'status'),
  text: 'select status from sales_order where entity_id = $orderId',
});

const words = { store_credit: 'store credit', gift_card: 'a gift card', reward_points: 'reward points' } as const;

const historyLine = ({ kind, amount, currencyCode }: CreditRefundRow) =>
  `Gave ${moneyText(amount, currencyCode)} to ${words[kind]}.`;
