import type { EntityManager } from '@mikro-orm/postgresql';
import {
  captureComment,
  captureOf,
  isPayable,
  layawayStatusOf,
  notPositive,
  type Captured,
  type LayawayStatus,
} from '../../domain/layaways.ts';
import { isPositive, type Amount } from '../../domain/money.ts';
import { isOfflineMethod } from '../../domain/platform/credit-memos/memo-of-invoice.ts';
import { commentOnce, lockOrderMoney, type LockedMoney } from '../orders.ts';
import { refuseTooLate, tooLate } from '../support/begin-before.ts';
import { momentText } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import type { LayawayPage } from './find-unfollowed.ts';
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
 * has, whatever white space is around it, and a repeated step get the booked state. A payment above the balance is booked up
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
const bookAll = sql('capture-payment.bookAll', { takes: { beginBefore: momentText } })`
  with money as (
    insert into sales_money_in (order_id, kind, reference, operation_key, amount, base_amount, method, created_at)
    select $orderId, 'layaway_capture', $reference?, $operationKey, $amount, $baseAmount, $paymentMethod,
      clock_timestamp() where clock_timestamp() <= $beginBefore::timestamptz
      and not exists (
        select from sales_money_in m where m.order_id = $orderId and m.kind in ('layaway_capture', 'credit_due')
          and trimmed_reference(m.reference) = $reference::varchar)
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
  select order_id, $comment, $status, clock_timestamp() from money`;

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

const paidUp = sql('capture-payment.paidUp')`
  update sales_order set pos_layaway_status = $status, pos_layaway_balance_owed = 0, updated_at = clock_timestamp()
  where entity_id = $orderId`;

/** Adds one comment to the history of each. Its own update locks the row, so timer and job never both write one. */
const flagged = (due: string) => `
with due as (${due}), flagged as (
  update sales_order o set pos_layaway_status = 'stale', updated_at = clock_timestamp()
  from due where o.entity_id = due.entity_id and o.pos_layaway_status = 'open'
  returning o.entity_id, o.status, o.store_id, o.pos_layaway_expires_at
), comments as (
  insert into sales_order_status_history (parent_id, comment, status, created_at)
  select entity_id, 'The layaway expired on ' || to_char(pos_layaway_expires_at at time zone coalesce((
      select w.time_zone from store_view v join website w on w.website_id = v.website_id
      where v.store_id = flagged.store_id), 'UTC'), 'YYYY-MM-DD')
    || ' and is overdue. It can still be paid or cancelled.', status, clock_timestamp() from flagged
)
select entity_id from flagged order by entity_id`;

/**
 * An order cancelled on the platform no longer counts. A layaway that owes nothing is not late, although collecting
 * credit due leaves it open (spec 4.6).
 */
const isDue = `pos_layaway_status = 'open' and pos_layaway_expires_at <= now() and state <> 'canceled'
  and total_due is distinct from 0`;

const one = sql(
  'capture-payment.one',
)`${flagged(`select entity_id from sales_order where entity_id = $orderId and ${isDue} for update`)}`;

const batch = sql('capture-payment.batch')`
  ${flagged(
    `select entity_id from sales_order where ${isDue} and entity_id > $after order by entity_id
      limit $limit for update`,
  )}`;

/**
 * Flags a layaway stale when it is open, overdue and not paid in full, by the clock of the database (spec 3.1);
 * otherwise nothing changes. A repeat changes nothing.
 *
 * @returns whether it was flagged just now
 */
export const flagStale = async (em: EntityManager, orderId: number): Promise<boolean> =>
  (await one.first(em, { orderId })) !== undefined;

/**
 * The same for a batch of all overdue layaways, in one statement, their rows locked in ascending order (spec 6 hourly
 * job).
 *
 * @returns the orders that were flagged, ascending; fewer than `limit` at the end
 */
export const flagStaleBatch = async (em: EntityManager, page: LayawayPage): Promise<number[]> =>
  (await batch.all(em, page)).map(({ entityId }) => entityId);
