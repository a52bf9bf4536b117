import type { EntityManager } from '@mikro-orm/postgresql';
import { captureComment, captureOf, isPayable, notPositive, type Captured } from '../../domain/layaways/capture.ts';
import type { LayawayStatus } from '../../domain/layaways/layaway-status.ts';
import { formatAmount, isPositive, type Amount } from '../../domain/money/amount.ts';
import { sayOnce } from '../orders/say-once.ts';
import { query } from '../support/query.ts';
import { transact } from '../support/transact.ts';
import { hasPayment } from './has-payment.ts';
import { lockLayaway, type Layaway } from './lock-layaway.ts';

export interface LayawayPayment {
  orderId: number;
  /** In the order's currency. */
  amount: Amount;
  paymentMethod: string;
  /** A terminal's transaction id or a receipt's number; null: nothing makes a second request the same payment. */
  reference: string | null;
  /** Of the request: the same step run again books nothing. */
  operationKey: string;
}

/**
 * Takes a payment of a layaway: money in, totals, attributes and history in one transaction (spec 4.7 capture).
 *
 * Three round trips under the order lock: lock, write, commit. Safe to repeat: a reference the order has already, exactly
 * as it is spelled, and a step that has run already are answered with what stands. More than is owed is booked up to what
 * is owed; the first payment says what the deposit was and how it was taken.
 *
 * Refused with: 404 unknown order · 400 as `captureOf` says.
 */
export async function capturePayment(em: EntityManager, payment: LayawayPayment): Promise<{ status: LayawayStatus }> {
  if (!isPositive(payment.amount)) throw notPositive();
  return transact(em, async (tx) => {
    const layaway = await lockLayaway(tx, payment.orderId);
    const { status } = layaway;
    // Before anything is refused: what was booked once is answered even when the layaway has been cancelled since.
    if (status !== null && !isPayable(layaway) && (await hasPayment(tx, payment))) return { status };
    const captured = captureOf(layaway, payment.amount);
    const booking = { layaway, captured, payment };
    if (!isPositive(captured.amount)) await tellUnbooked(tx, booking);
    else if (!(await book(tx, booking))) return { status: status ?? captured.status };
    return { status: captured.status };
  });
}

interface Booking {
  layaway: Layaway;
  captured: Captured;
  payment: LayawayPayment;
}

/**
 * Everything at once, or nothing where the payment is there already: the unique indexes say so. The first money there is
 * was the deposit, whatever the register announced with the order and whatever credit paid; money that came with the order
 * itself stays the deposit.
 */
const bookText = `
with money as (
  insert into sales_money_in (order_id, kind, reference, operation_key, amount, base_amount, method, created_at)
  values ($1, 'layaway_capture', $2, $3, $4, $5, $6, clock_timestamp())
  on conflict do nothing returning order_id
), before as (
  select exists (select from sales_money_in where order_id = $1 and kind in ('placement', 'layaway_capture')) as has_money
), booked as (
  update sales_order set total_paid = $7, base_total_paid = $8, pos_layaway_balance_owed = $9, pos_layaway_status = $10,
    pos_layaway_deposit_amount = case when has_money and pos_layaway_deposit_amount > 0
      then pos_layaway_deposit_amount else $4 end,
    pos_layaway_initial_payment_method = case when has_money and pos_layaway_initial_payment_method <> ''
      then pos_layaway_initial_payment_method else $6 end,
    updated_at = clock_timestamp()
  from money, before where entity_id = money.order_id
), paid as (
  update sales_order_payment set amount_paid = greatest(amount_paid, $7), base_amount_paid = greatest(base_amount_paid, $8)
  from money where sales_order_payment.order_id = money.order_id
)
insert into sales_order_status_history (parent_id, comment, status, created_at)
select order_id, $11, $12, clock_timestamp() from money returning parent_id`;

/** False: the payment was there already, and nothing was written. */
async function book(em: EntityManager, { layaway, captured, payment }: Booking): Promise<boolean> {
  const told = await query(em, bookText, [
    layaway.orderId,
    payment.reference,
    payment.operationKey,
    formatAmount(captured.amount),
    formatAmount(captured.baseAmount),
    payment.paymentMethod,
    formatAmount(captured.totalPaid),
    formatAmount(captured.baseTotalPaid),
    formatAmount(captured.totalDue),
    captured.status,
    captureComment({ captured, ...payment, currencyCode: layaway.orderCurrencyCode }),
    layaway.orderStatus,
  ]);
  return told.length > 0;
}

/** Nothing is owed: the history says that somebody took money all the same, once however often the step runs. */
async function tellUnbooked(em: EntityManager, { layaway, captured, payment }: Booking): Promise<void> {
  await sayOnce(em, {
    orderId: layaway.orderId,
    status: layaway.orderStatus,
    comment: captureComment({ captured, ...payment, currencyCode: layaway.orderCurrencyCode }),
  });
  if (captured.status === layaway.status) return;
  await em.execute(
    `update sales_order set pos_layaway_status = ?, pos_layaway_balance_owed = 0, updated_at = clock_timestamp()
     where entity_id = ?`,
    [captured.status, layaway.orderId],
  );
}
