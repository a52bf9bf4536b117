import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { defaultStatus } from '../../../domain/platform/order-state.ts';
import { transact } from '../../support/transact.ts';
import type { LockedOrder } from '../orders/lock-order.ts';
import { invoiceStates, type Invoice } from './invoice.entity.ts';
import { lockInvoice } from './lock-invoice.ts';
import { registerInvoice } from './register-invoice.ts';

/**
 * Cancels an open invoice: its goods are to be invoiced again, its order goes to processing (platform facts 6).
 *
 * Refused with: 404 unknown invoice · 400 an invoice that is paid or cancelled.
 */
export const cancelInvoice = (em: EntityManager, invoiceId: number): Promise<void> =>
  transact(em, async (tx) => {
    const { order, invoice } = await lockInvoice(tx, invoiceId);
    await takeInvoiceBack(tx, order, invoice);
  });

/**
 * The same inside a caller's transaction, under the order lock.
 *
 * What was paid stays as it is, on the order and on its payment: an open invoice was never paid (our choice, where
 * stock takes the invoice's total off the payment).
 */
export async function takeInvoiceBack(em: EntityManager, order: LockedOrder, invoice: Invoice): Promise<void> {
  if (invoice.state !== invoiceStates.open) throw invalid('The invoice can no longer be canceled.');
  await em.populate(invoice, ['items']);
  registerInvoice(order, invoice, invoice.items.getItems(), 'out');
  invoice.state = invoiceStates.canceled;
  order.state = 'processing';
  order.status = defaultStatus.processing;
}
