import { randomUUID } from 'node:crypto';
import { orderBody } from './order-body.ts';
import type { Json, Teller } from './teller.ts';
import { inCents } from './in-cents.ts';
import type { Selling } from './selling.ts';

export interface Sale {
  orderId: number;
  orderIncrementId: string;
  itemId: number;
  /** The token in the code on its receipt. */
  receiptToken: string;
}

/** Reads the catalog for a cheap, simple product in stock. */
export async function browse(teller: Teller): Promise<Json> {
  teller.chapter('Catalogue');
  const criteria = new URLSearchParams({
    'searchCriteria[filter_groups][0][filters][0][field]': 'type_id',
    'searchCriteria[filter_groups][0][filters][0][value]': 'simple',
    'searchCriteria[sort_orders][0][field]': 'entity_id',
    'searchCriteria[sort_orders][0][direction]': 'ASC',
    'searchCriteria[page_size]': '5',
  });
  const list = await teller.ask({
    method: 'GET',
    path: `/V1/products?${criteria.toString()}`,
    means: ({ items, total_count }) =>
      `${items.length} of ${total_count} products: ${items.map((item: Json) => item.sku).join(', ')}.`,
  });
  return teller.ask({
    method: 'GET',
    path: `/V1/products/${encodeURIComponent(list.items[0].sku)}`,
    means: ({ name, price }) => `${name} at ${price}.`,
  });
}

/** A sale as a register carries it out: receipt, order, invoice, shipment. */
export async function sell(teller: Teller, selling: Selling): Promise<Sale> {
  const saleId = randomUUID();
  const total = inCents((selling.price + (selling.fixedTax ?? 0)) * selling.qty);
  const receipt = await teller.ask({
    method: 'POST',
    path: '/V1/pos/receipts',
    body: { receipt: receiptOf(selling, { saleId, total }) },
    means: ({ receipt_id, order_increment_id }) =>
      `Receipt ${receipt_id} is kept before there is an order (${order_increment_id ?? 'no number yet'}).`,
  });
  const spent = (selling.credits ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const paymentId = selling.payment === 'card' ? await payByCard(teller, saleId, total - spent) : null;
  const order = await teller.ask({
    method: 'POST',
    path: '/V1/orders',
    body: { entity: orderBody(selling, { total, paymentId, attributes: attributesOf(selling, { saleId, total }) }) },
    means: ({ increment_id, status }) => `Order ${increment_id} is placed (${status}); its goods are promised.`,
  });
  // A sale on invoice has its open invoice from the start.
  if (selling.payment !== 'invoice') await invoice(teller, order.entity_id);
  await teller.ask({
    method: 'POST',
    path: `/V1/order/${order.entity_id}/ship`,
    body: {},
    means: (shipmentId) => `Shipment ${shipmentId}: handed over, off the shelf.`,
  });
  await teller.ask({
    method: 'GET',
    path: `/V1/pos/receipts/${receipt.receipt_id}`,
    means: ({ order_increment_id }) => `The receipt now carries order ${order_increment_id}.`,
  });
  return {
    orderId: order.entity_id,
    orderIncrementId: order.increment_id,
    itemId: order.items[0].item_id,
    receiptToken: receipt.receipt_token,
  };
}

const invoice = (teller: Teller, orderId: number) =>
  teller.ask({
    method: 'POST',
    path: `/V1/order/${orderId}/invoice`,
    body: { capture: true },
    means: (invoiceId) => `Invoice ${invoiceId}: the order is paid.`,
  });

const attributesOf = ({ credits, payment }: Selling, { saleId, total }: { saleId: string; total: number }) => ({
  pos_sale_id: saleId,
  ...(payment === 'invoice' ? { pos_credit_due: total } : {}),
  ...(credits ? { pos_applied_credits: credits } : {}),
});

/** Does what the card terminal does, before anything is booked. */
export async function payByCard(teller: Teller, saleId: string, total: number): Promise<string> {
  const { payment_id } = await teller.askGateway({
    method: 'POST',
    path: '/payments',
    body: { provider: 'provider_a', amount: total.toFixed(2), currency: 'USD', reference: saleId },
    means: (payment) => `The card terminal took ${total.toFixed(2)} USD: ${payment.payment_id}.`,
  });
  return payment_id;
}

const receiptOf = (
  { register, product, price, qty, payment, entered, fixedTax }: Selling,
  { saleId, total }: { saleId: string; total: number },
) => ({
  sale_id: saleId,
  terminal_id: register.terminalId,
  location_id: register.locationId,
  staff_id: register.staffId,
  staff_name: register.staffName,
  payment_method: payment,
  subtotal: inCents(price * qty),
  tax_amount: inCents((fixedTax ?? 0) * qty),
  discount_amount: 0,
  grand_total: total,
  currency: 'USD',
  items: [
    {
      sku: entered?.sku ?? product.sku,
      name: product.name,
      qty,
      price,
      row_total: total,
      tax_amount: 0,
      discount_amount: 0,
    },
  ],
});
