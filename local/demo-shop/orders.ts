import type { EntityManager } from '@mikro-orm/postgresql';
import { Product } from '../../db/platform/catalog/product.entity.ts';
import { Customer } from '../../db/platform/customers/customer.entity.ts';
import { createInvoice } from '../../db/platform/invoices/create-invoice.ts';
import { createOrder } from '../../db/platform/order-saves/create-order.ts';
import { Order } from '../../db/platform/orders/order.entity.ts';
import { createShipment } from '../../db/platform/shipments/create-shipment.ts';
import { demoSales, type DemoSale } from './sales.ts';
import { postedSale } from './posted-sale.ts';

/** Places the demo orders with the same transactions as a register's calls, in the order of the list. */
export async function seedOrders(em: EntityManager, now: Date): Promise<void> {
  for (const sale of demoSales) await seedOrder(em.fork(), sale, now);
}

/** Each step runs only where it has not run yet, so that an interrupted seed continues. */
async function seedOrder(em: EntityManager, sale: DemoSale, now: Date): Promise<void> {
  const placed = await em.findOne(Order, { extOrderId: sale.id });
  const orderId = placed?.entityId ?? (await place(em, sale, now));
  if (sale.layaway) return;
  if (!placed || placed.totalInvoiced === 0) await createInvoice(em, { orderId });
  if (!placed || placed.state !== 'complete') await createShipment(em, { orderId, sourceCode: sale.source });
}

async function place(em: EntityManager, sale: DemoSale, now: Date): Promise<number> {
  const products = await em.find(Product, { sku: { $in: sale.lines.map(({ sku }) => sku) } });
  const customer = sale.customer ? await em.findOneOrFail(Customer, { email: sale.customer }) : undefined;
  const { orderId } = await createOrder(em, postedSale({ sale, products, customer, now }), { now });
  return orderId;
}
