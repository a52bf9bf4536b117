import type { BenchRequest, Scenario } from '../scenario.ts';
import { firstIds } from '../shop.ts';

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
