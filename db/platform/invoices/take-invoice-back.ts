import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { defaultStatus, isOver } from '../../../domain/platform/order-state.ts';
import { refuseWhileRefundUnderWay } from '../../../domain/platform/refund-under-way.ts';
import type { LockedOrder } from '../orders/lock-order.ts';
import { invoiceStates } from './invoice.entity.ts';
import { linesOfInvoice, saveInvoiceRow, type InvoiceRow } from './invoice.repository.ts';
import { registerInvoice } from './register-invoice.ts';

/**
 * Cancels an open invoice, in the caller's transaction and under the order lock. Its goods can be invoiced again, and
 * its order goes to processing (platform facts 6). An order that is over or under review keeps its state. A held order
 * goes to processing when its hold ends. This is our choice: the platform reopens even a cancelled order.
 *
 * What was paid stays as it is, on the order and on its payment, because an open invoice was never paid. This is our
 * choice too: the platform subtracts the invoice's total from the payment.
 *
 * Refused with: 400 an invoice that is paid or cancelled, one whose order has a refund under way.
 */
export async function takeInvoiceBack(em: EntityManager, order: LockedOrder, invoice: InvoiceRow): Promise<void> {
  if (invoice.state !== invoiceStates.open) throw invalid('The invoice can no longer be canceled.');
  refuseWhileRefundUnderWay(order);
  registerInvoice(order, invoice, await linesOfInvoice(em, invoice.entityId), 'out');
  invoice.state = invoiceStates.canceled;
  await saveInvoiceRow(em, invoice);
  const { state } = order;
  if (isOver(state) || state === 'payment_review') return;
  if (state === 'holded') {
    order.holdBeforeState = 'processing';
    order.holdBeforeStatus = defaultStatus.processing;
    return;
  }
  order.state = 'processing';
  order.status = defaultStatus.processing;
}
