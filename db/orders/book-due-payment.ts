import type { EntityManager } from '@mikro-orm/postgresql';
import { dueComment, type DuePayment } from '../../domain/orders/due-payment.ts';
import { formatAmount, zero } from '../../domain/money/amount.ts';
import { query } from '../support/query.ts';
import type { LockedOrderOnCredit } from './lock-order-on-credit.ts';
import { payOpenInvoice } from './pay-open-invoice.ts';

export interface DueBooking {
  order: LockedOrderOnCredit;
  payment: DuePayment;
  reference: string;
}

/** Money in, totals and history at once. A layaway's status stays; its balance follows the columns. */
const moneyText = `
with booked as (
  update sales_order set total_paid = $6, base_total_paid = $7, pos_credit_due = $8, updated_at = clock_timestamp(),
    pos_layaway_balance_owed = case when pos_layaway_status in ('open', 'stale') then $9 else pos_layaway_balance_owed end
  where entity_id = $1
), paid as (
  update sales_order_payment set amount_paid = greatest(amount_paid, $6), base_amount_paid = greatest(base_amount_paid, $7)
  where order_id = $1
), told as (
  insert into sales_order_status_history (parent_id, comment, status, created_at)
  values ($1, $10, $11, clock_timestamp())
)
insert into sales_money_in (order_id, kind, reference, amount, base_amount, method, created_at)
values ($1, 'credit_due', $2, $3, $4, $5, clock_timestamp()) returning money_in_id`;

const answerText = `
insert into due_payment (order_id, reference, money_in_id, amount, due_before, due_after, remaining_due, paid_total,
  total_due, is_invoice_paid)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/**
 * Writes a payment of credit due, with what is answered for it ever after, and pays the open invoice once the order owes
 * nothing more. In the caller's transaction, under the order lock.
 *
 * @returns whether the invoice is paid now
 */
export async function bookDuePayment(em: EntityManager, { order, payment, reference }: DueBooking): Promise<boolean> {
  const amounts = [payment.amount, payment.baseAmount].map(formatAmount);
  const totals = [payment.totalPaid, payment.baseTotalPaid, payment.creditDue, payment.totalDue].map(formatAmount);
  const [money] = await query<{ money_in_id: number }>(em, moneyText, [
    order.orderId,
    reference,
    ...amounts,
    order.paymentMethod,
    ...totals,
    dueComment(payment, { reference, currencyCode: order.orderCurrencyCode }),
    order.status,
  ]);
  const isInvoicePaid = payment.totalDue === zero && (await payOpenInvoice(em, order.orderId));
  await query(em, answerText, [
    order.orderId,
    reference,
    money?.money_in_id,
    formatAmount(payment.amount),
    formatAmount(order.creditDue ?? zero),
    formatAmount(payment.creditDue),
    formatAmount(payment.remainingDue),
    formatAmount(payment.totalPaid),
    formatAmount(payment.totalDue),
    isInvoicePaid,
  ]);
  return isInvoicePaid;
}
