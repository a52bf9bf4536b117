import type { EntityManager } from '@mikro-orm/postgresql';
import { readStoreSetting } from '../configuration/read-store-setting.ts';
import type { SavedOrder } from '../platform/orders/saved-order.ts';
import type { PostedOrder } from '../platform/orders/posted-order.ts';

/**
 * Whether an order is paid by an invoice that is sent later: it has the store's payment method for that. Its invoices
 * are open at first (spec 4.1 `pay_by_invoice_method`, platform facts 13). Reads only.
 */
export async function isOnInvoice(
  em: EntityManager,
  { storeId }: SavedOrder,
  { payment }: PostedOrder,
): Promise<boolean> {
  const method = await readStoreSetting(em, 'vendor_pos_terminal/payments/pay_by_invoice_method', storeId);
  if (method === '' || payment?.method !== method) return false;
  return (await readStoreSetting(em, 'vendor_pos_terminal/payments/pay_by_invoice_invoicing_mode', storeId)) === 'open';
}
