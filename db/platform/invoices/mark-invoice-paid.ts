import type { EntityManager } from '@mikro-orm/postgresql';
import { add, greatest, subtract, zero } from '../../../domain/money/amount.ts';
import { paidAfterInvoice } from '../../../domain/platform/invoice-totals.ts';
import { defaultStatus, stateAfterHold } from '../../../domain/platform/order-state.ts';
import { isPaid, type Paid } from '../../../domain/platform/placement.ts';
import { refuseMoneyIn } from '../../../domain/platform/refuse-money-in.ts';
import { refuseUnpaidLayaway } from '../../../domain/platform/refuse-unpaid-layaway.ts';
import type { NewRowOf } from '../../support/entity-columns.ts';
import { insertRows, into } from '../../support/write-rows.ts';
import { type LockedOrder } from '../orders/lock-order.ts';
import { MoneyIn } from '../orders/money-in.entity.ts';
import { invoiceStates } from './invoice.entity.ts';
import { saveInvoiceRow, type InvoiceRow } from './invoice.repository.ts';

/**
 * Marks an open invoice of a locked order as paid and raises what the order has been paid (platform facts 6).
 *
 * Only the difference counts as money in: what was captured before, or paid with credit, is not counted again. An order
 * that waited for its money goes to processing, where the save step can complete it (platform facts 12.4); a held one stays
 * held and goes on there. The caller applies that step.
 *
 * Refused with: 400 an order that is over, a layaway that still owes something.
 *
 * @returns what came in with it, to be written
 */
export function markInvoicePaid(order: LockedOrder, invoice: InvoiceRow): NewRowOf<typeof MoneyIn>[] {
  refuseMoneyIn(order);
  refuseUnpaidLayaway(order);
  const before: Paid = { amount: order.totalPaid, baseAmount: order.baseTotalPaid };
  const after = paidWith(order, invoice);
  invoice.state = invoiceStates.paid;
  order.totalPaid = after.amount;
  order.baseTotalPaid = after.baseAmount;
  recordPayment(order, invoice, after);
  startProcessing(order);
  const paid = {
    amount: subtract(after.amount, before.amount),
    baseAmount: subtract(after.baseAmount, before.baseAmount),
  };
  if (!isPaid(paid)) return [];
  const reference = `invoice-${invoice.incrementId}`;
  const { entityId: orderId, payment } = order;
  return [{ orderId, kind: 'invoice', reference, method: payment.method, ...paid, createdAt: new Date() }];
}

/** The same, written: what came in and the invoice's new state. The order is the caller's to save. */
export async function payOpened(em: EntityManager, order: LockedOrder, invoice: InvoiceRow): Promise<void> {
  const paid = markInvoicePaid(order, invoice);
  await saveInvoiceRow(em, invoice);
  await insertRows(em, [into(MoneyIn, paid)]);
}

/** The registers tell what the other invoices come to: cancelled ones are out of them again. */
function paidWith(order: LockedOrder, invoice: InvoiceRow): Paid {
  const amount = paidAfterInvoice({
    invoicedBefore: subtract(order.totalInvoiced, invoice.grandTotal),
    before: order.totalPaid,
    invoice: invoice.grandTotal,
    total: order.grandTotal,
  });
  const baseAmount = paidAfterInvoice({
    invoicedBefore: subtract(order.baseTotalInvoiced, invoice.baseGrandTotal),
    before: order.baseTotalPaid,
    invoice: invoice.baseGrandTotal,
    total: order.baseGrandTotal,
  });
  return { amount, baseAmount };
}

function recordPayment(order: LockedOrder, invoice: InvoiceRow, { amount, baseAmount }: Paid): void {
  const payment = order.payment;
  payment.amountPaid = greatest(payment.amountPaid, amount);
  payment.baseAmountPaid = greatest(payment.baseAmountPaid, baseAmount);
  payment.shippingCaptured = add(payment.shippingCaptured, invoice.shippingAmount);
  payment.baseShippingCaptured = add(payment.baseShippingCaptured, invoice.baseShippingAmount);
}

/** Of a layaway nothing is owed any more, so neither the hourly job nor a cancellation may touch it (spec 3.1). */
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
