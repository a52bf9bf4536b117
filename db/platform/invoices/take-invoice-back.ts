import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { defaultStatus, isOver } from '../../../domain/platform/order-state.ts';
import { refuseWhileRefundUnderWay } from '../../../domain/platform/refund-under-way.ts';
import type { LockedOrder } from '../orders/lock-order.ts';
import { invoiceStates } from './invoice.entity.ts';
import { linesOfInvoice, saveInvoiceRow, type InvoiceRow } from './invoice.repository.ts';
import { registerInvoice } from './register-invoice.ts';

/**
 * Cancels an open invoice, in the caller's transaction and under the order lock: its goods are to be invoiced again, its
 * order goes to processing (platform facts 6). One that is over or under review stays so, and a held one goes on as
 * processing when its hold ends (our choice, where stock opens even a cancelled order again).
 *
 * What was paid stays as it is, on the order and on its payment: an open invoice was never paid (our choice, where
 * stock takes the invoice's total off the payment).
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
