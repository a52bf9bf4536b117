import { randomUUID } from 'node:crypto';
import type { OpenRegister } from './open-register.ts';
import type { Json, Teller } from './teller.ts';

export interface Sale {
  orderId: number;
  orderIncrementId: string;
  itemId: number;
}

export interface Selling {
  register: OpenRegister;
  product: Json;
  /** In the store's currency, for one; the cents decide what the gateway does to a refund of it. */
  price: number;
  qty: number;
  payment: 'cash' | 'card';
}

/** A look at the shelf: something cheap, simple and in stock. */
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
  const total = Math.round(selling.price * selling.qty * 100) / 100;
  const receipt = await teller.ask({
    method: 'POST',
    path: '/V1/pos/receipts',
    body: { receipt: receiptOf(selling, { saleId, total }) },
    means: ({ receipt_id, order_increment_id }) =>
      `Receipt ${receipt_id} is kept before there is an order (${order_increment_id ?? 'no number yet'}).`,
  });
  const paymentId = selling.payment === 'card' ? await payByCard(teller, saleId, total) : null;
  const order = await teller.ask({
    method: 'POST',
    path: '/V1/orders',
    body: { entity: orderOf(selling, { saleId, total, paymentId }) },
    means: ({ increment_id, status }) => `Order ${increment_id} is placed (${status}); its goods are promised.`,
  });
  await teller.ask({
    method: 'POST',
    path: `/V1/order/${order.entity_id}/invoice`,
    body: { capture: true },
    means: (invoiceId) => `Invoice ${invoiceId}: the order is paid.`,
  });
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
  return { orderId: order.entity_id, orderIncrementId: order.increment_id, itemId: order.items[0].item_id };
}

async function payByCard(teller: Teller, saleId: string, total: number): Promise<string> {
  const { payment_id } = await teller.askGateway({
    method: 'POST',
    path: '/payments',
    body: { provider: 'provider_a', amount: total.toFixed(2), currency: 'USD', reference: saleId },
    means: (payment) => `The card terminal took ${total.toFixed(2)} USD: ${payment.payment_id}.`,
  });
  return payment_id;
}

const receiptOf = (
  { register, product, price, qty, payment }: Selling,
  { saleId, total }: { saleId: string; total: number },
) => ({
  sale_id: saleId,
  terminal_id: register.terminalId,
  location_id: register.locationId,
  staff_id: register.staffId,
  staff_name: register.staffName,
  payment_method: payment,
  subtotal: total,
  tax_amount: 0,
  discount_amount: 0,
  grand_total: total,
  currency: 'USD',
  items: [{ sku: product.sku, name: product.name, qty, price, row_total: total, tax_amount: 0, discount_amount: 0 }],
});

function orderOf(
  { register, product, price, qty, payment }: Selling,
  { saleId, total, paymentId }: { saleId: string; total: number; paymentId: string | null },
) {
  const sums = {
    subtotal: total,
    subtotal_incl_tax: total,
    tax_amount: 0,
    discount_amount: 0,
    shipping_amount: 0,
    grand_total: total,
  };
  const line = {
    price,
    original_price: price,
    price_incl_tax: price,
    row_total: total,
    row_total_incl_tax: total,
    tax_amount: 0,
    discount_amount: 0,
  };
  return {
    state: 'new',
    status: 'pending',
    store_id: 1,
    is_virtual: 0,
    base_currency_code: 'USD',
    order_currency_code: 'USD',
    store_currency_code: 'USD',
    global_currency_code: 'USD',
    base_to_order_rate: 1,
    customer_is_guest: 1,
    customer_email: 'walk-in@example.com',
    ...inBothCurrencies(sums),
    total_qty_ordered: qty,
    items: [
      {
        sku: product.sku,
        name: product.name,
        product_id: product.id,
        product_type: 'simple',
        qty_ordered: qty,
        ...inBothCurrencies(line),
      },
    ],
    billing_address: address,
    payment: {
      method: payment === 'card' ? register.cardMethod : 'checkmo',
      amount_ordered: total,
      base_amount_ordered: total,
      ...(paymentId === null ? {} : { last_trans_id: paymentId }),
    },
    extension_attributes: {
      pos_sale_id: saleId,
      shipping_assignments: [{ shipping: { address, method: 'flatrate_flatrate' } }],
    },
  };
}

const inBothCurrencies = (money: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(money).flatMap(([name, value]) => [
      [name, value],
      [`base_${name}`, value],
    ]),
  );

const address = {
  firstname: 'Walk-in',
  lastname: 'Customer',
  street: ['1 High Street'],
  city: 'Troy',
  postcode: '12180',
  country_id: 'US',
  telephone: '555',
};
