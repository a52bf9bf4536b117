import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
afterAll(() => api.close());

const { fork, entriesOf, walletsOf } = booksOf(() => api.orm);
const adjust = (body: object) =>
  api.call('POST', '/V1/vendor-store-credit/adjust', { token: api.tokens.admin, body: { websiteId: 1, ...body } });

test('a correction goes up or down by its delta, and each call is one more', async () => {
  const customerId = await aCustomer(fork());
  const up = { customerId, delta: 10, reason: 'counted again', idempotencyKey: 'not read' };

  expect((await adjust(up)).body).toMatchObject({
    event_type: 3,
    delta: 10,
    balance_after: 10,
    idempotency_key: null,
    admin_user_id: expect.any(Number),
  });
  expect((await adjust(up)).body).toMatchObject({ balance_after: 20 });
  expect((await adjust({ ...up, delta: '-19.99', source: 'audit' })).body).toMatchObject({
    delta: -19.99,
    balance_after: 0.01,
    source: 'audit',
  });
});

test.each([
  [{ delta: -10.0001 }, 'The balance cannot go below zero: it is %1 and would change by %2.'],
  [{ delta: 0 }, 'The delta of an adjustment cannot be zero.'],
  [{ delta: '-0' }, 'The delta of an adjustment cannot be zero.'],
  [{ delta: '-1e-7' }, 'The delta of an adjustment cannot be zero.'],
  [{ delta: 5, reason: '' }, 'A reason is required for every adjustment.'],
  [{ delta: 5, reason: undefined }, 'A reason is required for every adjustment.'],
  [{ delta: 0.005 }, 'The amount %1 cannot be booked: %2 has %3 decimals.'],
  [{ delta: -9.9999 }, 'The amount %1 cannot be booked: %2 has %3 decimals.'],
  [{ delta: 1.00001 }, expect.stringContaining('"float" type was expected')],
  [{ delta: '-1e3' }, expect.stringContaining('"float" type was expected')],
  [{ delta: -1e15 }, expect.stringContaining('"float" type was expected')],
  [{ delta: 10_000_000_000 }, expect.stringContaining('cannot go above')],
  [{ amount: 5 }, '"%fieldName" is required. Enter and try again.'],
])('refused with nothing written: %j', async (given, message) => {
  const customerId = await aCustomer(fork());
  await adjust({ customerId, delta: 10, reason: 'start' });

  expect(await adjust({ customerId, reason: 'why', ...given })).toMatchObject({ status: 400, body: { message } });
  expect(await walletsOf(customerId, 'amount')).toEqual([{ amount: '10.0000' }]);
  expect(await entriesOf(customerId)).toHaveLength(1);
});

test('an unknown customer is the platform’s 404', async () => {
  expect(await adjust({ customerId: 999_999, delta: 1, reason: 'why' })).toMatchObject({
    status: 404,
    body: { parameters: { fieldName: 'customerId', fieldValue: 999_999 } },
  });
});
