import type { EntityManager } from '@mikro-orm/postgresql';
import {
  greatest,
  subtract,
  zero,
  currencies,
  inBoth,
  columnsOfMoney,
  countMoney,
  moneyOf,
  twin,
  twins,
  type Amount,
  type InBoth,
  type Money,
} from '../../../domain/money.ts';
import { paidAfterInvoice } from '../../../domain/platform/invoice-totals.ts';
import { defaultStatus, stateAfterHold } from '../../../domain/platform/order-state.ts';
import { isPaid, refuseMoneyIn, refuseUnpaidLayaway } from '../../../domain/platform/placement.ts';
import type { NewRowOf } from '../../support/entity-columns.ts';
import { insertRows, into } from '../../support/write-rows.ts';
import { documentFigures } from '../orders/document-money.ts';
import { type LockedOrder } from '../orders/lock-order.ts';
import { MoneyIn } from '../orders/order.entity.ts';
import { invoiced } from '../orders/add-order-comment.ts';
import { invoiceStates } from './invoice.entity.ts';
import { saveInvoiceRow, type InvoiceRow } from './invoice.repository.ts';
import { shopNow } from '../../support/shop-clock.ts';

/**
 * Marks an open invoice of a locked order as paid and raises the order's total paid (platform facts 6).
 *
 * Only the difference counts as money in. What was captured before, or paid with credit, is not counted again. An order
 * that waited for its money goes to processing, where the save step can complete it (platform facts 12.4). A held order
 * stays held and goes to processing when its hold ends. The caller applies the save step.
 *
 * Refused with: 400 an order that is over, a layaway that still owes something.
 *
 * @returns the rows of the money that came in, for the caller to write
 */
export function markInvoicePaid(order: LockedOrder, invoice: InvoiceRow): NewRowOf<typeof MoneyIn>[] {
  refuseMoneyIn(order);
  refuseUnpaidLayaway(order);
  const totals = inBoth((currency) => moneyOf(invoice, documentFigures, currency));
  const rise = inBoth((currency) => riseWith(moneyOf(order, paidFigures, currency), totals[currency]));
  invoice.state = invoiceStates.paid;
  countMoney(order, { rise: paidFigures.totalPaid }, rise);
  recordPayment(order, totals);
  startProcessing(order);
  const paid = columnsOfMoney({ rise: twin('amount') }, rise);
  if (!isPaid(paid)) return [];
  const reference = `invoice-${invoice.incrementId}`;
  const { entityId: orderId, payment } = order;
  return [{ orderId, kind: 'invoice', reference, method: payment.method, ...paid, createdAt: shopNow() }];
}

/** The same, and writes the money in and the invoice's new state. The caller saves the order. */
export async function payOpened(em: EntityManager, order: LockedOrder, invoice: InvoiceRow): Promise<void> {
  const paid = markInvoicePaid(order, invoice);
  await saveInvoiceRow(em, invoice);
  await insertRows(em, [into(MoneyIn, paid)]);
}

const paidFigures = twins('totalInvoiced', 'totalPaid', 'grandTotal', 'dueTakenOff');

/** The order's invoiced total without this invoice is the sum of the others; cancelled ones are already subtracted. */
function riseWith(order: Money<typeof paidFigures>, invoice: Money<typeof documentFigures>): { rise: Amount } {
  const { totalInvoiced, totalPaid, grandTotal, dueTakenOff } = order;
  const paid = paidAfterInvoice({
    invoicedBefore: subtract(totalInvoiced, invoice.grandTotal),
    before: totalPaid,
    invoice: invoice.grandTotal,
    total: subtract(grandTotal, dueTakenOff),
  });
  return { rise: subtract(paid, totalPaid) };
}

const amountPaid = twin('amountPaid');

function recordPayment(order: LockedOrder, invoice: InBoth<Money<typeof documentFigures>>): void {
  const { payment } = order;
  for (const currency of currencies) {
    const total = order[paidFigures.totalPaid[currency]];
    payment[amountPaid[currency]] = greatest(payment[amountPaid[currency]], total);
  }
  countMoney(payment, invoiced.payment, invoice);
}

/** A paid layaway owes nothing more, so neither the hourly job nor a cancellation may touch it (spec 3.1). */
function startProcessing(order: LockedOrder): void {
  const isHeld = order.state === 'holded';
  const state = isHeld ? stateAfterHold(order.holdBeforeState) : order.state;
  if (state !== 'new' && state !== 'pending_payment') return;
  if (isHeld) {
    order.holdBeforeState = 'processing';
    order.holdBeforeStatus = defaultStatus.processing;
  } else {
    order.state = 'processing';
    order.status = defaultStatus.processing;
  }
  if (!order.posLayawayStatus) return;
  order.posLayawayStatus = 'ready_to_settle';
  order.posLayawayBalanceOwed = zero;
}
