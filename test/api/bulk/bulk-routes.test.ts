import { hash } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { testApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';

const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });
beforeAll(() => aShop(fork()));

const { fork, find } = booksOf(() => api.orm);

const call = (method: string, path: string, body?: unknown, token = api.tokens.admin) =>
  api.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const product = { product: { sku: 'X', name: 'X', price: 1 } };
const bulks = () => find('bulk');

test.each<[string, string, string, unknown, number]>([
  ['a read', 'GET', '/rest/async/V1/products', undefined, 404],
  ['what is not served', 'POST', '/rest/async/bulk/V1/nothing', [product], 404],
  ['an answer with secrets', 'POST', '/rest/async/V1/integration/admin/token', { username: 'a', password: 'b' }, 404],
  [
    'a body with secrets',
    'POST',
    '/rest/async/V1/customers/resetPassword',
    { email: '', resetToken: 'a', newPassword: 'b' },
    404,
  ],
  ['a count of networks', 'PUT', '/rest/async/V1/customers/password', { email: 'a', template: 'email_reset' }, 404],
  [
    'a count of networks in a bulk',
    'PUT',
    '/rest/async/bulk/V1/customers/password',
    [{ email: 'a', template: 'email_reset' }],
    404,
  ],
  ['an account of the caller', 'PUT', '/rest/async/V1/customers/me', { customer: {} }, 404],
  ['a path of a single request', 'PUT', '/rest/async/bulk/V1/products/MUG', [product], 404],
  ['another word before the version', 'POST', '/rest/async/many/V1/products', [product], 400],
  ['an unknown store view', 'POST', '/rest/mars/async/V1/products', product, 400],
  ['an object for a list', 'POST', '/rest/async/bulk/V1/products', product, 400],
  ['a list of other things', 'POST', '/rest/async/bulk/V1/products', [1], 400],
  ['an empty list', 'POST', '/rest/async/bulk/V1/products', [], 400],
  ['a single request that cannot be read', 'POST', '/rest/async/V1/products', {}, 400],
])('%s is refused, and nothing is kept', async (_what, method, path, body, status) => {
  expect((await call(method, path, body)).status).toBe(status);
  expect(await bulks()).toEqual([]);
});

test('only who may call the route may have it called later', async () => {
  for (const token of [api.tokens.nothing, undefined])
    expect(
      (await api.call('POST', '/rest/async/V1/products', { body: product, ...(token ? { token } : {}) })).status,
    ).toBe(401);
  expect(await bulks()).toEqual([]);
});

test('more than fifty thousand are refused', async () => {
  const answer = await call(
    'POST',
    '/rest/async/bulk/V1/products',
    Array.from({ length: 50_001 }, () => ({})),
  );
  expect([answer.status, answer.body.parameters]).toEqual([400, [50_000]]);
});

test('a bulk is accepted while Temporal is away; an unknown bulk is not found', async () => {
  const { status, body } = await call('POST', '/rest/async/bulk/V1/products', [product, product]);
  expect(status).toBe(202);
  expect((await call('GET', `/V1/bulk/${body.bulk_uuid}/operation-status/4`)).body).toBe(2);
  const list = await call(
    'GET',
    `/V1/bulk?searchCriteria[filter_groups][0][filters][0][field]=bulk_uuid&searchCriteria[filter_groups][0][filters][0][value]=${body.bulk_uuid}`,
  );
  expect(list.body).toMatchObject({
    total_count: 2,
    items: [
      { id: 0, status: 4 },
      { id: 1, status: 4 },
    ],
  });
  expect(await call('GET', '/V1/bulk/none/status')).toMatchObject({
    status: 404,
    body: { message: 'Bulk uuid %bulkUuid not exist', parameters: { bulkUuid: 'none' } },
  });
  expect((await call('GET', '/V1/bulk/none/detailed-status')).status).toBe(404);
  expect((await call('GET', '/V1/bulk/none/operation-status/1')).body).toBe(0);
});

/** All that the database has of operations that wait, and of the requests that asked for them. */
const everyColumn = async () =>
  JSON.stringify([await find('bulk_operation'), await find('bulk'), await find('keyed_request')]);

test('a password, a passcode, a token and a key wait sealed, and no digest of them can be guessed', async () => {
  const customer = { email: 'sealed@x.example', firstname: 'Eve', lastname: 'A' };
  const staff = {
    staff: { first_name: 'Eve', last_name: 'A', email: 'eve@x.example', passcode: '135790', role_id: 1 },
  };
  const query = `customer[email]=q@x.example&customer[firstname]=Q&customer[lastname]=A&password=Candle-2026`;
  const token = { receiptToken: 'f1a57e11'.repeat(8), destination: 'ann@x.example' };
  const key = { confirmation_key: 'c0ffee11'.repeat(8) };
  const asked: [method: string, path: string, body: unknown][] = [
    ['POST', '/rest/async/bulk/V1/customers', [{ customer, password: 'Lantern-2026' }, { customer }]],
    ['POST', '/rest/async/V1/pos/staff', staff],
    ['POST', `/rest/async/V1/customers?${query}`, { customer }],
    ['POST', '/rest/async/V1/pos/receipts/email', token],
    ['PUT', '/rest/async/V1/customers/sealed@x.example/activate', key],
  ];
  const answers = [];
  for (const [at, [method, path, body]] of asked.entries()) {
    const headers = { 'idempotency-key': `sealed-${at}` };
    answers.push(await api.call(method, path, { token: api.tokens.admin, body, headers }));
  }
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
  const kept = await everyColumn();
  expect(kept).not.toMatch(/Lantern-2026|135790|Candle-2026|f1a57e11|c0ffee11/);
  expect(kept.match(/sealedArguments/g)).toHaveLength(5);
  const dataHash = answers[1]?.body.request_items[0].data_hash;
  expect(dataHash).toMatch(/^[\da-f]{64}$/);
  expect(dataHash).not.toBe(hash('sha256', JSON.stringify(staff)));
});

test('an operation larger than a request of its own may be is rejected, and the others go on', async () => {
  const large = { product: { sku: 'LARGE', name: 'x'.repeat(5_000_000), price: 1 } };
  const { status, body } = await call('POST', '/rest/async/bulk/V1/products', [large, product]);
  expect(status).toBe(202);
  expect(body.request_items).toMatchObject([{ status: 'rejected', error_code: 413 }, { status: 'accepted' }]);
  expect(await everyColumn()).not.toContain('xxxxxx');
  const group = { group: { code: 'y'.repeat(1_100_000) } };
  expect((await call('POST', '/rest/async/bulk/V1/customerGroups', [group])).body.request_items).toMatchObject([
    { status: 'rejected', error_code: 413 },
  ]);
});

test('without a key to seal it with a password does not wait', async () => {
  const bare = await testApi();
  const customer = { email: 'bare@x.example', firstname: 'Eve', lastname: 'A' };
  const send = (path: string, body: unknown) => bare.call('POST', path, { token: bare.tokens.admin, body });
  const body = { customer, password: 'Lantern-2026' };
  expect((await send('/rest/async/V1/customers', body)).status).toBe(400);
  const bulk = await send('/rest/async/bulk/V1/customers', [body, { customer }]);
  expect(bulk.body).toMatchObject({ errors: true, request_items: [{ status: 'rejected' }, { status: 'accepted' }] });
  expect(bulk.body.request_items[0].data_hash).not.toBe(hash('sha256', JSON.stringify(body)));
  await bare.close();
});
