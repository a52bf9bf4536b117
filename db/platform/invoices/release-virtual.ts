import type { EntityManager } from '@mikro-orm/postgresql';
import { stockSkuOf } from '../../../domain/platform/sku-of-line.ts';
import { reserve } from '../inventory/reserve.ts';
import { type LockedOrder } from '../orders/lock-order.ts';
import { linesOfInvoice, type InvoiceRow } from './invoice.repository.ts';

/** Virtual goods are never shipped, so their reservation ends when their invoice is paid (platform facts 10). */
export async function releaseVirtual(em: EntityManager, order: LockedOrder, invoice: InvoiceRow): Promise<void> {
  const virtual = new Map(
    order.lines.flatMap((line) => (line.isVirtual ? [[line.itemId, stockSkuOf(line)] as const] : [])),
  );
  if (virtual.size === 0) return;
  const items = await linesOfInvoice(em, invoice.entityId);
  const lines = items.flatMap(({ orderItemId, qty }) => {
    const sku = virtual.get(orderItemId);
    return sku === undefined ? [] : [{ sku, qty }];
  });
  await reserve(em, { orderId: order.entityId, storeId: order.storeId, eventType: 'invoice_created', lines });
}
