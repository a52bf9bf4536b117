import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, invalid } from '../../domain/errors.ts';
import type { Amount } from '../../domain/money/amount.ts';
import { coinOf, toCoins } from '../../domain/money/coins.ts';
import { collect, otherAmountComment } from '../../domain/orders/due-payment.ts';
import { refuseTaken } from '../support/refuse-taken.ts';
import { integer, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { bookDuePayment } from './book-due-payment.ts';
import { DuePayment } from './due-payment.entity.ts';
import { lockOrderMoney, type LockedMoney } from './lock-order-money.ts';
import { commentOnce } from './comment-once.ts';

export interface DueToCollect {
  orderId: number;
  /** Identifies the payment, in exactly this spelling: the same reference is the same payment. */
  reference: string;
  /** In the order's currency. */
  amount: Amount;
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
export async function collectDuePayment(em: EntityManager, wanted: DueToCollect): Promise<CollectedDue> {
  if (wanted.reference.trim() === '') throw fieldRequired('reference');
  // A payment of a layaway may have the reference.
  return refuseTaken(
    () => transact(em, (tx) => collectUnderLock(tx, wanted)),
    () => invalid('The order has another payment with the reference "%1".', [wanted.reference]),
    'sales_money_in_reference_once',
  );
}

async function collectUnderLock(em: EntityManager, wanted: DueToCollect): Promise<CollectedDue> {
  const { orderId, reference } = wanted;
  const order = await lockOrderMoney(em, orderId);
  const { incrementId } = order;
  const booked = await findBooked.first(em, { orderId, reference });
  if (booked) {
    await tellOtherAmount(em, { order, booked: booked.amount, wanted });
    return { orderId, incrementId, reference, isReplay: true, ...booked };
  }
  const payment = collect({ ...order, creditDue: order.posCreditDue }, wanted.amount);
  const isInvoicePaid = await bookDuePayment(em, { order, payment, reference });
  const { amount, remainingDue, totalPaid: paidTotal, totalDue } = payment;
  return { orderId, incrementId, reference, isReplay: false, amount, remainingDue, paidTotal, totalDue, isInvoicePaid };
}

/** By the unique index, after the lock: only a statement that begins then sees what the previous transaction wrote. */
const findBooked = statement({
  takes: { orderId: integer, reference: text },
  gives: of(DuePayment, 'amount', 'remainingDue', 'paidTotal', 'totalDue', 'isInvoicePaid'),
  text: `
    select amount, remaining_due, paid_total, total_due, is_invoice_paid from due_payment
    where order_id = $orderId and reference = $reference`,
});

/** The first booking stays; the history records that another amount was sent. */
async function tellOtherAmount(
  em: EntityManager,
  { order, booked, wanted }: { order: LockedMoney; booked: Amount; wanted: DueToCollect },
): Promise<void> {
  const { entityId: orderId, status, orderCurrencyCode: currencyCode } = order;
  const coin = coinOf(currencyCode);
  const asked = toCoins(wanted.amount, coin);
  if (asked === toCoins(booked, coin)) return;
  const comment = otherAmountComment({ asked, booked, reference: wanted.reference, currencyCode });
  await commentOnce(em, { orderId, status, comment });
}
