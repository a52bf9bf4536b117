import type { EntityManager } from '@mikro-orm/postgresql';
import { captureComment, captureOf, isPayable, notPositive, type Captured } from '../../domain/layaways/capture.ts';
import { layawayStatusOf, type LayawayStatus } from '../../domain/layaways/layaway-status.ts';
import { isPositive, type Amount } from '../../domain/money/amount.ts';
import { isOfflineMethod } from '../../domain/platform/invoice-refund.ts';
import { lockOrderMoney, type LockedMoney } from '../orders/lock-order-money.ts';
import { commentOnce } from '../orders/comment-once.ts';
import { refuseTooLate, tooLate } from '../support/begin-before.ts';
import { amount, flag, integer, momentText, orNull, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { hasPayment } from './has-payment.ts';

export interface LayawayPayment {
  orderId: number;
  /** In the order's currency. */
  amount: Amount;
  paymentMethod: string;
  /** A terminal's transaction id or a receipt's number; null: repeats of the payment cannot be recognised. */
  reference: string | null;
  /** The key of the request: a repeat of the step books nothing. */
  operationKey: string;
  /** Nothing is booked after it, by the database's clock. */
  beginBefore: string;
}

/**
 * Takes a payment of a layaway: money in, totals, attributes and history in one transaction (spec 4.7 capture).
 *
 * Three round trips under the order lock: lock, write, commit. Safe to repeat: a reference that the order already
 * has, in exactly this spelling, and a repeated step get the booked state. A payment above the balance is booked up
 * to the balance. The first payment sets the deposit and its method.
 *
 * Refused with: 404 unknown order · 400 as documented at `captureOf` · 503 too late, unless it is booked already.
 */
export async function capturePayment(em: EntityManager, payment: LayawayPayment): Promise<{ status: LayawayStatus }> {
  if (!isPositive(payment.amount)) throw notPositive();
  return transact(em, async (tx) => {
    const order = await lockOrderMoney(tx, payment.orderId);
    const status = layawayStatusOf(order.posLayawayStatus);
    const layaway = { ...order, status };
    // Before any refusal: a booked payment gets its answer even when the layaway was cancelled since.
    if (status !== null && !isPayable(layaway) && (await hasPayment(tx, payment))) return { status };
    const captured = captureOf(layaway, payment.amount);
    const booking = { order, captured, payment };
    if (!isPositive(captured.amount)) await tellUnbooked(tx, booking);
    else if (!(await book(tx, booking))) {
      if (!(await hasPayment(tx, payment))) throw tooLate();
      return { status: status ?? captured.status };
    }
    return { status: captured.status };
  });
}

interface Booking {
  order: LockedMoney;
  captured: Captured;
  payment: LayawayPayment;
}

/**
 * Writes everything at once, or nothing where the payment exists already, as the unique indexes decide, or where it is
 * too late. The first money is the deposit, whatever the register announced and whatever credit paid; money that came
 * with the order stays the deposit. The first reference of the order's own way of paying is its transaction, so that a
 * refund finds it.
 */
const bookAll = statement({
  takes: {
    orderId: integer,
    reference: orNull(text),
    operationKey: text,
    amount,
    baseAmount: amount,
    paymentMethod: text,
    isTransaction: flag,
    beginBefore: momentText,
    totalPaid: amount,
    baseTotalPaid: amount,
    totalDue: amount,
    layawayStatus: text,
    comment: text,
    status: text,
  },
  text: `
    with money as (
      insert into sales_money_in (order_id, kind, reference, operation_key, amount, base_amount, method, created_at)
      select $orderId, 'layaway_capture', $reference, $operationKey, $amount, $baseAmount, $paymentMethod,
        clock_timestamp() where clock_timestamp() <= $beginBefore::timestamptz
      on conflict do nothing returning order_id
    ), before as (
      select exists (
        select from sales_money_in where order_id = $orderId and kind in ('placement', 'layaway_capture')
      ) as has_money
    ), booked as (
      update sales_order set total_paid = $totalPaid, base_total_paid = $baseTotalPaid,
        pos_layaway_balance_owed = $totalDue, pos_layaway_status = $layawayStatus,
        pos_layaway_deposit_amount = case when has_money and pos_layaway_deposit_amount > 0
          then pos_layaway_deposit_amount else $amount end,
        pos_layaway_initial_payment_method = case when has_money and pos_layaway_initial_payment_method <> ''
          then pos_layaway_initial_payment_method else $paymentMethod end,
        updated_at = clock_timestamp()
      from money, before where entity_id = money.order_id
    ), paid as (
      update sales_order_payment set amount_paid = greatest(amount_paid, $totalPaid),
        base_amount_paid = greatest(base_amount_paid, $baseTotalPaid),
        last_trans_id = case when coalesce(last_trans_id, '') = '' and method = $paymentMethod and $isTransaction
          then $reference else last_trans_id end
      from money where sales_order_payment.order_id = money.order_id
    )
    insert into sales_order_status_history (parent_id, comment, status, created_at)
    select order_id, $comment, $status, clock_timestamp() from money`,
});

/** False: nothing was written. */
async function book(em: EntityManager, { order, captured, payment }: Booking): Promise<boolean> {
  const { amount: taken, baseAmount, totalPaid, baseTotalPaid, totalDue, status: layawayStatus } = captured;
  const { reference, operationKey, paymentMethod, beginBefore } = payment;
  const added = await bookAll.run(em, {
    orderId: order.entityId,
    ...{ reference, operationKey, paymentMethod, beginBefore },
    isTransaction: !isOfflineMethod(paymentMethod),
    ...{ amount: taken, baseAmount, totalPaid, baseTotalPaid, totalDue, layawayStatus },
    comment: captureComment({ captured, ...payment, currencyCode: order.orderCurrencyCode }),
    status: order.status,
  });
  return added > 0;
}

/** Nothing is owed: the history records once that money was still taken. */
async function tellUnbooked(em: EntityManager, { order, captured, payment }: Booking): Promise<void> {
  await refuseTooLate(em, payment.beginBefore);
  const orderId = order.entityId;
  const comment = captureComment({ captured, ...payment, currencyCode: order.orderCurrencyCode });
  await commentOnce(em, { orderId, status: order.status, comment });
  if (captured.status !== order.posLayawayStatus) await paidUp.run(em, { orderId, status: captured.status });
}

const paidUp = statement({
  takes: { orderId: integer, status: text },
  text: `
    update sales_order set pos_layaway_status = $status, pos_layaway_balance_owed = 0, updated_at = clock_timestamp()
    where entity_id = $orderId`,
});
