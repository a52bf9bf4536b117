import type { EntityManager } from '@mikro-orm/postgresql';
import { openInvoicesOfOrder } from '../platform/invoices/invoice.repository.ts';
import { payOpened } from '../platform/invoices/mark-invoice-paid.ts';
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
 * The same for an order whose goods came back before they were paid: it waits for nothing more, though its invoice is not
 * paid in full.
 */
export async function moveOn(em: EntityManager, orderId: number): Promise<void> {
  const order = await lockOrder(em, orderId);
  await applyOrderState(em, order, 'save');
  await saveOrder(em, order);
}
