import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { lockOrder, type LockedOrder } from '../orders/lock-order.ts';
import { Invoice } from './invoice.entity.ts';

/** Locks the order of an invoice and reads both anew. Refused with: 404 unknown invoice. */
export async function lockInvoice(
  em: EntityManager,
  invoiceId: number,
): Promise<{ order: LockedOrder; invoice: Invoice }> {
  const [found] = await em.execute<{ order_id: number }[]>('select order_id from sales_invoice where entity_id = ?', [
    invoiceId,
  ]);
  if (!found) throw noSuchDocument();
  const order = await lockOrder(em, found.order_id);
  const invoice = await em.findOneOrFail(Invoice, { entityId: invoiceId }, { refresh: true });
  return { order, invoice };
}
