import type { EntityManager } from '@mikro-orm/postgresql';
import { Invoice, invoiceStates } from '../platform/invoices/invoice.entity.ts';
import { markInvoicePaid } from '../platform/invoices/mark-invoice-paid.ts';
import { releaseVirtual } from '../platform/invoices/release-virtual.ts';
import { applyOrderState } from '../platform/orders/apply-order-state.ts';
import { lockOrder, saveOrder } from '../platform/orders/lock-order.ts';

/**
 * Pays all open invoices of an order that owes nothing more, in the caller's transaction, under the order lock. A
 * layaway's status stays: collecting credit due is not one of its verbs (spec 4.6).
 *
 * @returns false when there is none
 */
export async function payOpenInvoice(em: EntityManager, orderId: number): Promise<boolean> {
  const order = await lockOrder(em, orderId);
  const open = { orderId, state: invoiceStates.open };
  const invoices = await em.find(Invoice, open, { orderBy: { entityId: 'asc' }, refresh: true });
  if (invoices.length === 0) return false;
  const { posLayawayStatus, posLayawayBalanceOwed } = order;
  for (const invoice of invoices) markInvoicePaid(em, order, invoice);
  Object.assign(order, { posLayawayStatus, posLayawayBalanceOwed });
  await applyOrderState(em, order, 'save');
  for (const invoice of invoices) await releaseVirtual(em, order, invoice);
  await em.flush();
  await saveOrder(em, order);
  return true;
}
