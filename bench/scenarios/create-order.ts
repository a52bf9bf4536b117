import type { Scenario } from '../scenario.ts';
import { firstIds } from '../shop.ts';

/** A range of its own, so that a replay can tell sales from other ids. */
const firstSale = 900_000_001;
const firstLargeSale = 910_000_001;

/** A cash sale of three lines, as a register posts it. */
export const createOrder: Scenario = {
  name: 'order create',
  loads: [{ connections: 16, atLeast: null }],
  request: (sale) => ({ method: 'POST', path: '/V1/orders', body: { entity: orderOf(`sale-${sale}`) } }),
  subjectOf: (n) => firstSale + n,
};

/** A large sale: ten lines. */
export const createLargeOrder: Scenario = {
  name: 'order create of ten lines',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  request: (sale) => ({
    method: 'POST',
    path: '/V1/orders',
    body: { entity: orderOf(`sale-${sale}`, { lineCount: 10 }) },
  }),
  subjectOf: (n) => firstLargeSale + n,
};

/** Eight percent, in dollars, of so many cents. */
const taxOf = (cents: number) => (cents * 8) / 10_000;
const totalOf = (lineCount: number) => (1_080 * lineCount) / 100;
const both = (figures: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) => [
      [name, value],
      [`base_${name}`, value],
    ]),
  );

/** Different products at 10 and 8 % tax: three, unless told. */
export const orderOf = (posSaleId: string, { method = 'checkmo', lineCount = 3 } = {}) => ({
  state: 'new',
  status: 'pending',
  store_id: 1,
  is_virtual: 0,
  base_currency_code: 'USD',
  order_currency_code: 'USD',
  store_currency_code: 'USD',
  global_currency_code: 'USD',
  base_to_global_rate: 1,
  base_to_order_rate: 1,
  customer_is_guest: 1,
  customer_group_id: 0,
  customer_email: 'walk-in@example.com',
  customer_firstname: 'Walk-in',
  customer_lastname: 'Customer',
  ...both({ subtotal: 10 * lineCount, tax_amount: taxOf(1_000 * lineCount) }),
  ...both({ subtotal_incl_tax: totalOf(lineCount), grand_total: totalOf(lineCount) }),
  ...both({ discount_amount: 0, shipping_amount: 0, shipping_incl_tax: 0 }),
  total_qty_ordered: lineCount,
  total_item_count: lineCount,
  items: Array.from({ length: lineCount }, (_, at) => ({
    sku: `SKU-${String(at + 1).padStart(5, '0')}`,
    name: `Product number ${at + 1}`,
    product_id: firstIds.product + at,
    product_type: 'simple',
    qty_ordered: 1,
    is_virtual: 0,
    store_id: 1,
    tax_percent: 8,
    ...both({ price: 10, original_price: 10, row_total: 10, price_incl_tax: 10.8, row_total_incl_tax: 10.8 }),
    ...both({ tax_amount: 0.8, discount_amount: 0 }),
  })),
  billing_address: address('billing'),
  payment: { method, ...both({ amount_ordered: totalOf(lineCount) }), additional_information: [method] },
  extension_attributes: {
    shipping_assignments: [{ shipping: { address: address('shipping'), method: 'flatrate_flatrate' } }],
    pos_sale_id: posSaleId,
  },
});

function address(type: 'billing' | 'shipping') {
  return {
    address_type: type,
    firstname: 'Walk-in',
    lastname: 'Customer',
    street: ['1 Main St'],
    city: 'Troy',
    region: 'New York',
    region_id: 43,
    region_code: 'NY',
    postcode: '12180',
    country_id: 'US',
    telephone: '555',
    email: 'walk-in@example.com',
  };
}
