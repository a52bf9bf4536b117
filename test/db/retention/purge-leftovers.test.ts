import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { purgeLeftovers } from '../../../db/retention.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { hold } from '../../support/books/held.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { minutesAgo, daysAgo } from '../../support/moments.ts';

const orm = useDatabase();
let returnId: number;
let closedId: number;
let attemptId: number;
let locationId: number;
beforeAll(async () => {
  ({ locationId } = await aShop(fork()));
  ({ returnId } = await aReturn(orm, { locationId }));
  ({ returnId: closedId } = await aReturn(orm, { locationId }));
  await change('sale_return', { return_id: closedId }, { status: 'closed' });
  ({ attemptId } = await aRefundAttempt(orm, { locationId }));
});

const { theAttempt, find, fork, howMany, change, insert, remove } = booksOf(() => orm);
const purge = (limit = 100) => purgeLeftovers(fork(), { limit, guestCartDays: 30 });
let serial = 0;
const digest = () => String(++serial).padStart(64, '0');

const put: Record<string, (at: Date) => Promise<unknown>> = {
  sale_return_operation: (at) =>
    insert('sale_return_operation', { operation_key: digest(), return_id: returnId, created_at: at }),
  payload_of_a_closed_return: (at) => payload(closedId, at),
  payload_of_an_open_return: (at) => payload(returnId, at),
  expired_token: (at) => token(at, null),
  revoked_token: (at) => token(null, at),
  oauth_nonce: (at) => insert('oauth_nonce', { token_id: 1, nonce: digest(), expires_at: at }),
  pos_staff_session: (at) => insert('pos_staff_session', { digest: digest(), staff_id: 1, expires_at: at }),
  pos_staff_login_failure: (at) =>
    insert('pos_staff_login_failure', { email_digest: digest(), failures: 1, first_failed_at: at }),
  token_throttle: (at) =>
    insert('token_throttle', {
      user_name: digest(),
      user_type: 'admin',
      entry_point: 'token',
      failures: 1,
      last_failed_at: at,
    }),
  pos_receipt_pdf: async (at) => {
    const { receipt_id } = await aBareReceipt(orm);
    return insert('pos_receipt_pdf', { receipt_id, digest: 'x', content: 'x', made_at: at });
  },
  content_renewal: (at) =>
    insert('content_renewal', { identifier: digest(), is_removal: false, places: 21, finished_at: at }),
  rate_limit: (at) => insert('rate_limit', { bucket: digest(), attempts: 1, window_ends_at: at }),
  guest_cart: (at) => cart(at, null),
  keyed_request: (at) =>
    insert('keyed_request', {
      ...{ digest: digest(), fingerprint: 'x', caller_type: 'integration', caller_id: 1, route: 'POST /V1/orders' },
      ...{ request_id: 'x', state: 'done', status: 200, answer: '[]', created_at: at, answered_at: new Date() },
    }),
  bulk: (at) =>
    insert('bulk', {
      ...{ bulk_uuid: digest().slice(-36), user_type: 'admin', user_id: 1, route: 'POST /V1/products' },
      ...{ store_id: 0, website_id: 0, store_code: 'admin', operations: 1, finished_at: at },
    }),
};
const cart = (at: Date, customerId: number | null) =>
  insert('quote', {
    ...{ website_id: 1, store_id: 1, masked_id: customerId === null ? digest().slice(-32) : null },
    ...{ customer_id: customerId, updated_at: at },
  });
const payload = (id: number, at: Date) =>
  insert('sale_return_settle_payload', { request_id: digest(), return_id: id, raw_payload: '{}', created_at: at });
const token = (expiresAt: Date | null, revokedAt: Date | null) =>
  insert('access_token', {
    digest: digest(),
    user_type: 'customer',
    user_id: 1,
    expires_at: expiresAt,
    revoked_at: revokedAt,
  });
const tables = [
  'sale_return_operation',
  'sale_return_settle_payload',
  'access_token',
  'oauth_nonce',
  'pos_staff_session',
  'pos_staff_login_failure',
  'token_throttle',
  'pos_receipt_pdf',
  'content_renewal',
  'rate_limit',
  'quote',
  'keyed_request',
  'bulk',
  'mail_outbox',
];
beforeEach(async () => {
  for (const table of tables) await remove(table);
});

async function left(): Promise<number> {
  const counts = await Promise.all(tables.map((table) => howMany(table)));
  return counts.reduce((sum, count) => sum + count, 0);
}

test.each([
  ['sale_return_operation', 7],
  ['payload_of_a_closed_return', 1],
  ['payload_of_an_open_return', 7],
  ['expired_token', 30],
  ['revoked_token', 30],
  ['oauth_nonce', 1],
  ['pos_staff_session', 30],
  ['pos_staff_login_failure', 7],
  ['token_throttle', 30],
  ['pos_receipt_pdf', 2],
  ['content_renewal', 30],
  ['rate_limit', 1],
  ['guest_cart', 30],
  ['keyed_request', 7],
  ['bulk', 60],
] as const)('%s is kept for %i days, and not for longer', async (what, days) => {
  await put[what]!(daysAgo(days - 0.1));
  await put[what]!(daysAgo(days + 0.1));

  await purge();

  expect(await left()).toBe(1);
});

test('what is valid stays: a token that never expires, a lock that holds, a mail that waits, a renewal with failures', async () => {
  await token(null, null);
  await put['content_renewal']!(daysAgo(90));
  await change('content_renewal', {}, { failed: 1 });
  await insert('token_throttle', {
    ...{
      user_name: 'x',
      user_type: 'admin',
      entry_point: 'token',
      failures: 6,
      last_failed_at: daysAgo(90),
      locked_until: minutesAgo(-60),
    },
  });
  await insert('mail_outbox', {
    mail_key: 'waits',
    kind: 'uncertain_refund',
    attempt_id: attemptId,
    updated_at: daysAgo(400),
  });

  await purge();

  expect(await left()).toBe(4);
});

test('a guest’s cart goes with its goods; that of an account stays, and so does one in use', async () => {
  await cart(daysAgo(400), await aCustomer(fork()));
  const { quote_id: used } = await cart(daysAgo(40), null);
  const [product] = await find('product', {}, 'entity_id');
  await insert('quote_item', { quote_id: used, product_id: product!.entity_id, qty: 1 });

  await orm.em.fork().transactional(async (em) => {
    await hold(em, 'quote', { quote_id: used });
    await purge();
    expect(await left()).toBe(2);
  });
  await purge();

  expect(await left()).toBe(1);
  expect(await howMany('quote_item')).toBe(0);
});

test('what a terminal printed about a refund stays while the refund is uncertain', async () => {
  const asked = await theAttempt(attemptId, 'return_id');
  await payload(Number(asked!['return_id']), daysAgo(30));

  await purge();

  expect(await left()).toBe(1);
});

test('a mail is removed three months after it was sent, but not while its question is open', async () => {
  await insert('mail_outbox', {
    mail_key: 'sent',
    kind: 'uncertain_refund',
    attempt_id: attemptId,
    state: 'sent',
    updated_at: daysAgo(91),
  });
  await purge();
  expect(await left()).toBe(1);

  await change('refund_attempt', { attempt_id: attemptId }, { state: 'failed' });
  await purge();
  expect(await left()).toBe(0);
});

test('it goes batch by batch, and eight at once remove each row once', async () => {
  for (let row = 0; row < 30; row++) await put['rate_limit']!(daysAgo(2));

  expect(await purge(20)).toMatchObject({ removed: { rate_limit: 20 }, isDone: false });
  const answers = await eightAtOnce(() => purge(20));

  expect(answers.reduce((sum, { removed }) => sum + (removed['rate_limit'] ?? 0), 0)).toBe(10);
  expect(await purge(20)).toMatchObject({ isDone: true });
  expect(await left()).toBe(0);
});

describe('goods that were promised', () => {
  /** What happened to the mugs of an order, by its number: pieces, and how many days ago. */
  const promise = async (orderId: number, ...moves: [quantity: number, days: number][]) => {
    for (const [quantity, days] of moves)
      await insert('inventory_reservation', {
        ...{ stock_id: 1, sku: 'MUG', quantity, order_id: orderId, created_at: daysAgo(days) },
        event_type: quantity < 0 ? 'order_placed' : 'shipment_created',
      });
  };
  const promised = async () => {
    const rows = await find('inventory_reservation', {}, 'order_id', 'quantity');
    return rows.map(({ order_id, quantity }) => [Number(order_id), Number(quantity)]);
  };
  beforeEach(() => remove('inventory_reservation'));

  test('are forgotten a day after the last of them was handed over; what an order still waits for stays whole', async () => {
    await promise(1, [-3, 40], [1, 30], [2, 2]);
    await promise(2, [-3, 40], [1, 30]);
    await promise(3, [-3, 40], [3, 0.5]);
    await promise(4, [-1, 40], [1, 39], [-1, 38], [1, 37]);

    expect((await purge()).removed).toMatchObject({ inventory_reservation: 7 });

    expect(await promised()).toEqual([
      [2, -3],
      [2, 1],
      [3, -3],
      [3, 3],
    ]);
  });

  test('are forgotten whole, batch by batch, however many runs there are at once', async () => {
    for (let order = 1; order <= 30; order++) await promise(order, [-2, 9], [1, 8], [1, 7]);
    await promise(99, [-2, 9]);

    expect(await purge(10)).toMatchObject({ removed: { inventory_reservation: 30 }, isDone: false });
    const answers = await eightAtOnce(() => purge(10));
    let removed = answers.reduce((sum, answer) => sum + (answer.removed['inventory_reservation'] ?? 0), 0);
    for (let answer = await purge(10); !answer.isDone; answer = await purge(10))
      removed += answer.removed['inventory_reservation'] ?? 0;

    expect(removed % 3).toBe(0);
    expect(await promised()).toEqual([[99, -2]]);
  });
});

describe('events', () => {
  beforeEach(async () => {
    await remove('webhook_endpoint');
    await remove('pos_event');
  });

  const told = (sequence: number, at: Date) =>
    insert('pos_event', { type: 'stock.moved', object_kind: 'stock', object_id: 'MUG', sequence, occurred_at: at });
  const places = async () =>
    (await find('pos_event', { object_id: 'MUG' }, 'sequence')).map(({ sequence }) => Number(sequence));

  test('go after a month with their deliveries and tries; the newest stays, by which the feed knows where it is', async () => {
    const { endpoint_id } = await insert('webhook_endpoint', { url: 'https://erp.example', sealed_secret: 'x' });
    const { event_id } = await told(1, daysAgo(31));
    await told(2, daysAgo(31));
    const { delivery_id } = await insert('webhook_delivery', {
      endpoint_id,
      event_id,
      sequence: 1,
      object_key: 'stock MUG',
    });
    await insert('webhook_attempt', { delivery_id, endpoint_id, took_ms: 7, at: daysAgo(29) });
    await purge();
    expect(await places()).toEqual([2]);
    expect([await howMany('webhook_delivery'), await howMany('webhook_attempt')]).toEqual([0, 0]);
  });

  test('a try goes after a month, also where its event was sent again since', async () => {
    const { endpoint_id } = await insert('webhook_endpoint', { url: 'https://erp.example', sealed_secret: 'x' });
    const { event_id } = await told(1, daysAgo(29));
    const { delivery_id } = await insert('webhook_delivery', {
      endpoint_id,
      event_id,
      sequence: 1,
      object_key: 'stock MUG',
    });
    await insert('webhook_attempt', { delivery_id, endpoint_id, took_ms: 7, at: daysAgo(31) });
    await insert('webhook_attempt', { delivery_id, endpoint_id, took_ms: 8, at: daysAgo(1) });
    await purge();
    expect(await find('webhook_attempt', {}, 'took_ms')).toEqual([{ took_ms: 8 }]);
  });

  test('one that was told earlier and has a later place waits for the one before it, so that the feed has no gap', async () => {
    await told(1, daysAgo(32));
    await told(2, daysAgo(29));
    await told(3, daysAgo(31));
    await told(4, daysAgo(1));
    await purge();
    expect(await places()).toEqual([2, 3, 4]);
  });

  test('where the first of a pile goes that waits, the one behind it is sent', async () => {
    const { endpoint_id } = await insert('webhook_endpoint', { url: 'https://erp.example', sealed_secret: 'x' });
    for (const [sequence, days] of [
      [1, 31],
      [2, 2],
      [3, 1],
    ] as const) {
      const { event_id } = await told(sequence, daysAgo(days));
      await insert('webhook_delivery', {
        ...{ endpoint_id, event_id, sequence, object_key: 'stock MUG', is_next: sequence === 1 },
      });
    }
    await purge();
    expect(await find('webhook_delivery', {}, 'is_next')).toEqual([{ is_next: true }, { is_next: false }]);
  });
});
