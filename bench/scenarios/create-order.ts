import type { BenchRequest, Scenario } from '../scenario.ts';
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

/** A range of its own: the last part of a UUID. */
const firstUuid = 910_000_000_001;
const uuidOf = (subject: number) => `0000c0de-0000-4000-8000-${subject}`;

/** A cart of twelve lines. */
const cartData = JSON.stringify(
  Array.from({ length: 12 }, (_, line) => ({
    sku: `SKU-${line}`,
    name: 'A fine product',
    note: 'x'.repeat(180),
    line,
  })),
);

const post = (subject: number, locationId: number): BenchRequest => ({
  method: 'POST',
  path: '/V1/pos/held-carts',
  body: {
    heldCart: {
      location_id: locationId,
      cart_uuid: uuidOf(subject),
      cart_data: cartData,
      customer_name: 'Grace Green',
      item_count: 12,
      grand_total: 129.6,
      currency_code: 'USD',
    },
  },
});

/** A cart of 3 KB that is parked. */
export const holdCart: Scenario = {
  name: 'held cart, post',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  request: (subject) => post(subject, firstIds.pos_location),
  subjectOf: (n) => firstUuid + n,
};

const cartCount = 200_000;

/** Each cart can be recalled once: there are more than any run needs. */
export const recallCart: Scenario = {
  name: 'held cart, recall',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  async prepare({ execute }) {
    await execute(
      `insert into pos_held_cart (held_cart_id, cart_uuid, location_id, cart_data)
       select ${firstIds.pos_held_cart} + 100000 + n, gen_random_uuid(), ${firstIds.pos_location + 1}, repeat('x', 100)
       from generate_series(0, ${cartCount}) n`,
    );
    await execute('analyze pos_held_cart');
  },
  request: (heldCartId) => ({
    method: 'POST',
    path: `/V1/pos/held-carts/${heldCartId}/recall`,
    body: { staffId: 7 },
  }),
  subjectOf: (n) => firstIds.pos_held_cart + 100_000 + n,
};

const busyLocation = firstIds.pos_location + 2;
const listed = 100;
const list = (): BenchRequest => ({ method: 'GET', path: `/V1/pos/held-carts/location/${busyLocation}` });
const fillLocation: Scenario['prepare'] = async ({ send }) => {
  for (let n = 0; n < listed; n++) await send(post(firstUuid + 10_000_000_000 + n, busyLocation));
};

/** A hundred carts of 3 KB at one location. */
export const listHeldCarts: Scenario = {
  name: 'held carts, list of 100',
  loads: [{ connections: 16, atLeast: 1 }],
  prepare: fillLocation,
  request: list,
  subjectOf: () => 0,
};

let tag = '';

/** The same list for a register that has it already, beside the read of one row. */
export const unchangedHeldCarts: Scenario = {
  name: 'held carts, unchanged list',
  loads: [{ connections: 16, atLeast: null, atMost: 1.2 }],
  async prepare(by) {
    await fillLocation(by);
    tag = (await by.send(list())).headers.get('etag') ?? '';
  },
  request: () => ({ ...list(), headers: { 'if-none-match': tag } }),
  subjectOf: () => 0,
  edit: () => [
    { text: 'select location_id, name from pos_location where location_id = $1', values: [busyLocation], rows: [] },
  ],
};
