import type { EntityManager } from '@mikro-orm/postgresql';
import { dueComment, type DuePayment as Payment } from '../../domain/orders/due-payment.ts';
import { zero } from '../../domain/money/amount.ts';
import { MoneyIn } from '../platform/orders/money-in.entity.ts';
import { amount, integer, orNull, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { DuePayment } from './due-payment.entity.ts';
import type { LockedMoney } from './lock-order-money.ts';
import { moveOn, payOpenInvoice } from './pay-open-invoice.ts';

export interface DueBooking {
  order: LockedMoney;
  payment: Payment;
  reference: string;
}

/** Writes payment, totals and history at once. A layaway's status stays; its balance follows the columns. */
const bookMoney = statement({
  takes: {
    orderId: integer,
    reference: text,
    amount,
    baseAmount: amount,
    method: orNull(text),
    totalPaid: amount,
    baseTotalPaid: amount,
    creditDue: amount,
    totalDue: amount,
    comment: text,
    status: text,
  },
  gives: of(MoneyIn, 'moneyInId'),
  text: `
    with booked as (
      update sales_order set total_paid = $totalPaid, base_total_paid = $baseTotalPaid, pos_credit_due = $creditDue,
        updated_at = clock_timestamp(),
        pos_layaway_balance_owed =
          case when pos_layaway_status in ('open', 'stale') then $totalDue else pos_layaway_balance_owed end
      where entity_id = $orderId
    ), paid as (
      update sales_order_payment set amount_paid = greatest(amount_paid, $totalPaid),
        base_amount_paid = greatest(base_amount_paid, $baseTotalPaid)
      where order_id = $orderId
    ), comments as (
      insert into sales_order_status_history (parent_id, comment, status, created_at)
      values ($orderId, $comment, $status, clock_timestamp())
    )
    insert into sales_money_in (order_id, kind, reference, amount, base_amount, method, created_at)
    values ($orderId, 'credit_due', $reference, $amount, $baseAmount, $method, clock_timestamp())
    returning money_in_id`,
});

/**
 * Writes a payment of credit due, with the answer that its repeats get, and pays the open invoice once the order owes
 * nothing more. In the caller's transaction, under the order lock.
 *
 * @returns whether the invoice is paid now
 */
export async function bookDuePayment(em: EntityManager, { order, payment, reference }: DueBooking): Promise<boolean> {
  const orderId = order.entityId;
  const { amount: taken, baseAmount, totalPaid, baseTotalPaid, creditDue, remainingDue, totalDue } = payment;
  const money = await bookMoney.first(em, {
    ...{ orderId, reference, amount: taken, baseAmount, totalPaid, baseTotalPaid, creditDue, totalDue },
    method: order.method,
    comment: dueComment(payment, { reference, currencyCode: order.orderCurrencyCode }),
    status: order.status,
  });
  if (!money) throw new Error('money of credit due was written and is not there');
  const isInvoicePaid = totalDue === zero && (await payOpenInvoice(em, orderId));
  if (totalDue !== zero && remainingDue === zero) await moveOn(em, orderId);
  const answer = {
    ...{ orderId, reference, moneyInId: money.moneyInId, amount: taken, isInvoicePaid },
    dueBefore: order.posCreditDue ?? zero,
    ...{ dueAfter: creditDue, remainingDue, paidTotal: totalPaid, totalDue },
  };
  await insertRows(em, [into(DuePayment, [answer])]);
  return isInvoicePaid;
}
