import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, invalid } from '../../domain/errors.ts';
import { coinOf, toCoins, zero, type Amount } from '../../domain/money.ts';
import { collect, dueComment, otherAmountComment, type DuePayment as Payment } from '../../domain/orders.ts';
import { assignDuePayment, type RegisterPlace } from '../movements/movement-place.ts';
import { commentOnce, lockOrderMoney, type LockedMoney } from '../orders.ts';
import { openInvoicesOfOrder } from '../platform/invoices/invoice.repository.ts';
import { releaseVirtual } from '../platform/invoices/invoices.ts';
import { payOpened } from '../platform/invoices/mark-invoice-paid.ts';
import { applyOrderState } from '../platform/orders/add-order-comment.ts';
import { lockOrder, saveOrder } from '../platform/orders/lock-order.ts';

import { refuseTaken } from '../support/refuse-taken.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { DuePayment } from './due-payment.entity.ts';

/**
 * Pays all open invoices of an order that owes nothing more, in the caller's transaction, under the order lock. A
 * layaway's status stays: collecting credit due is not one of its verbs (spec 4.6).
 *
 * @returns false when there is none
 */
async function payOpenInvoice(em: EntityManager, orderId: number): Promise<boolean> {
  const order = await lockOrder(em, orderId);
  const invoices = await openInvoicesOfOrder(em, orderId);
  if (invoices.length === 0) return false;
  const { posLayawayStatus, posLayawayBalanceOwed } = order;
  for (const invoice of invoices) await payOpened(em, order, invoice);
  Object.assign(order, { posLayawayStatus, posLayawayBalanceOwed });
  await applyOrderState(em, order, 'save');
  for (const invoice of invoices) await releaseVirtual(em, order, invoice);
  await saveOrder(em, order);
  return true;
}

/**
 * The same for an order whose goods came back before they were paid: it waits for nothing more, though its invoice is
 * not paid in full.
 */
async function moveOn(em: EntityManager, orderId: number): Promise<void> {
  const order = await lockOrder(em, orderId);
  await applyOrderState(em, order, 'save');
  await saveOrder(em, order);
}

export interface DueBooking {
  order: LockedMoney;
  payment: Payment;
  reference: string;
  requested: DueToCollect;
}

/** Writes payment, totals and history at once. A layaway's status stays; its balance follows the columns. */
const bookMoney = sql('collect-due-payment.bookMoney')`
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
  values ($orderId, 'credit_due', $reference, $amount, $baseAmount, $method?, clock_timestamp())
  returning money_in_id`;

/**
 * Writes a payment of credit due, with the answer that its repeats get, and pays the open invoice once the order owes
 * nothing more. In the caller's transaction, under the order lock.
 *
 * @returns whether the invoice is paid now
 */
async function bookDuePayment(
  em: EntityManager,
  { order, payment, reference, requested }: DueBooking,
): Promise<boolean> {
  const orderId = order.entityId;
  const { amount: taken, baseAmount, totalPaid, baseTotalPaid, creditDue, remainingDue, totalDue } = payment;
  const money = await bookMoney.first(em, {
    ...{ orderId, reference, amount: taken, baseAmount, totalPaid, baseTotalPaid, creditDue, totalDue },
    method: requested.paymentMethod?.trim() || order.method,
    comment: dueComment(payment, { reference, currencyCode: order.orderCurrencyCode }),
    status: order.status,
  });
  if (!money) throw new Error('money of credit due was written and is not there');
  await assignDuePayment(em, money.moneyInId, {
    ...requested,
    paymentMethod: requested.paymentMethod?.trim() || null,
  });
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

export interface DueToCollect extends RegisterPlace {
  orderId: number;
  /** Identifies the payment, without the white space around it: the same reference is the same payment. */
  reference: string;
  /** In the order's currency. */
  amount: Amount;
  /** Absent: that of the order, until the receipt of the payment states it. */
  paymentMethod?: string | undefined;
}

/** The booking under a reference, with the amounts of that time. */
export interface CollectedDue {
  orderId: number;
  incrementId: string;
  reference: string;
  amount: Amount;
  isReplay: boolean;
  /** The lower of the credit that is due and of what the order owes. */
  remainingDue: Amount;
  paidTotal: Amount;
  totalDue: Amount;
  isInvoicePaid: boolean;
}

/**
 * Collects credit due of an order (spec 4.6): payment, totals, history, and the open invoice once nothing is owed.
 * One transaction under the order lock, all or nothing.
 *
 * Safe to repeat: a known reference always gets its first booking; where the amount differs, the history records it
 * once.
 *
 * Refused with: 404 unknown order · 400 a missing reference, one of another payment of the order, an amount that is
 * not above zero or above the credit due.
 */
export async function collectDuePayment(em: EntityManager, requested: DueToCollect): Promise<CollectedDue> {
  const reference = requested.reference.trim();
  if (reference === '') throw fieldRequired('reference');
  // A payment of a layaway may have the reference.
  return refuseTaken(
    () => transact(em, (tx) => collectUnderLock(tx, { ...requested, reference })),
    () => invalid('The order has another payment with the reference "%1".', [reference]),
    'sales_money_in_reference_once',
  );
}

async function collectUnderLock(em: EntityManager, requested: DueToCollect): Promise<CollectedDue> {
  const { orderId, reference } = requested;
  const order = await lockOrderMoney(em, orderId);
  const { incrementId } = order;
  const booked = await findBooked.first(em, { orderId, reference });
  if (booked) {
    await tellOtherAmount(em, { order, booked: booked.amount, wanted: requested });
    return { orderId, incrementId, reference, isReplay: true, ...booked };
  }
  const payment = collect({ ...order, creditDue: order.posCreditDue }, requested.amount);
  const isInvoicePaid = await bookDuePayment(em, { order, payment, reference, requested });
  const { amount, remainingDue, totalPaid: paidTotal, totalDue } = payment;
  return { orderId, incrementId, reference, isReplay: false, amount, remainingDue, paidTotal, totalDue, isInvoicePaid };
}

/** By the unique index, after the lock: only a statement that begins then sees what the previous transaction wrote. */
const findBooked = sql('collect-due-payment.findBooked')`
  select amount, remaining_due, paid_total, total_due, is_invoice_paid from due_payment
  where order_id = $orderId and trimmed_reference(reference) = $reference`;

/** The first booking stays; the history records that another amount was sent. */
async function tellOtherAmount(
  em: EntityManager,
  { order, booked, wanted }: { order: LockedMoney; booked: Amount; wanted: DueToCollect },
): Promise<void> {
  const { entityId: orderId, status, orderCurrencyCode: currencyCode } = order;
  const coin = coinOf(currencyCode);
  const request = toCoins(wanted.amount, coin);
  if (request === toCoins(booked, coin)) return;
  const comment = otherAmountComment({ asked: request, booked, reference: wanted.reference, currencyCode });
  await commentOnce(em, { orderId, status, comment });
}
