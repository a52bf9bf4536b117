import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { purgeLeftovers } from '../../../db/retention/purge-leftovers.ts';
import { aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let orm: MikroORM;
let returnId: number;
let closedId: number;
let attemptId: number;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
  ({ returnId } = await aReturn(orm, { locationId }));
  ({ returnId: closedId } = await aReturn(orm, { locationId }));
  await change('sale_return', { return_id: closedId }, { status: 'closed' });
  ({ attemptId } = await aRefundAttempt(orm, { locationId }));
});
afterAll(() => orm.close());

const { theAttempt, fork, rows, write, change, insert } = booksOf(() => orm);
const purge = (limit = 100) => purgeLeftovers(fork(), { now: new Date(), limit, guestCartDays: 30 });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
let serial = 0;
const digest = () => String(++serial).padStart(64, '0');

const put: Record<string, (at: Date) => Promise<unknown>> = {
  sale_return_note: (at) => insert('sale_return_note', { return_id: returnId, comment: 'x', created_at: at }),
  payload_of_a_closed_return: (at) => payload(closedId, at),
  payload_of_an_open_return: (at) => payload(returnId, at),
  expired_token: (at) => token(at, null),
  revoked_token: (at) => token(null, at),
  oauth_nonce: (at) => insert('oauth_nonce', { token_id: 1, nonce: digest(), expires_at: at }),
  pos_staff_session: (at) => insert('pos_staff_session', { digest: digest(), staff_id: 1, expires_at: at }),
  pos_staff_login_failure: (at) =>
    insert('pos_staff_login_failure', { email_digest: digest(), failures: 1, first_failed_at: at }),
  token_throttle: (at) =>
    insert('token_throttle', { user_name: digest(), user_type: 'admin', failures: 1, last_failed_at: at }),
  pos_receipt_pdf: (at) =>
    rows(
      `with r as (insert into pos_receipt (pos_order_id, token_digest, sealed_token) values (?, ?, 'x') returning receipt_id)
       insert into pos_receipt_pdf (receipt_id, digest, content, made_at) select receipt_id, 'x', 'x', ? from r`,
      digest(),
      digest(),
      at,
    ),
  content_renewal: (at) =>
    insert('content_renewal', { identifier: digest(), is_removal: false, places: 21, finished_at: at }),
  rate_limit: (at) => insert('rate_limit', { bucket: digest(), attempts: 1, window_ends_at: at }),
  guest_cart: (at) => cart(at, null),
  keyed_request: (at) =>
    write(
      `insert into keyed_request (digest, fingerprint, caller_type, caller_id, route, request_id, state, status, answer,
         created_at, answered_at)
       values (?, 'x', 'integration', 1, 'POST /V1/orders', 'x', 'done', 200, '[]', ?, now())`,
      digest(),
      at,
    ),
  bulk: (at) =>
    write(
      `insert into bulk (bulk_uuid, user_type, user_id, route, store_id, website_id, store_code, operations, finished_at)
       values (right(?, 36), 'admin', 1, 'POST /V1/products', 0, 0, 'admin', 1, ?)`,
      digest(),
      at,
    ),
};
const cart = (at: Date, customerId: number | null) =>
  rows(
    `insert into quote (website_id, store_id, masked_id, customer_id, updated_at) values (1, 1, ?, ?, ?) returning quote_id`,
    customerId === null ? digest().slice(-32) : null,
    customerId,
    at,
  );
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
  'sale_return_note',
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
  for (const table of tables) await write(`delete from ${table}`);
});

async function left(): Promise<number> {
  const counts = await Promise.all(tables.map((table) => rows(`select count(*) as n from ${table}`)));
  return counts.reduce((sum, [row]) => sum + Number(row?.['n']), 0);
}

test.each([
  ['sale_return_note', 7],
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
  await write(
    `insert into token_throttle (user_name, user_type, failures, last_failed_at, locked_until) values ('x', 'admin', 6, ?, now() + interval '1 hour')`,
    daysAgo(90),
  );
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
  const [customer] = await rows(
    `insert into customer (website_id, store_id, group_id, email, firstname, lastname) values (1, 1, 1, 'a@b.example', 'A', 'B') returning id`,
  );
  await cart(daysAgo(400), Number(customer!['id']));
  const [used] = await cart(daysAgo(40), null);
  await write(
    `insert into quote_item (quote_id, product_id, qty) select ?, min(entity_id), 1 from product`,
    Number(used!['quote_id']),
  );

  await orm.em.fork().transactional(async (em) => {
    await em.execute('select from quote where quote_id = ? for update', [Number(used!['quote_id'])]);
    await purge();
    expect(await left()).toBe(2);
  });
  await purge();

  expect(await left()).toBe(1);
  expect(await rows('select from quote_item')).toEqual([]);
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
