import { afterAll, beforeAll, expect, test } from 'vitest';
import { OrderStatus, OrderStatusState } from '../../../db/platform/orders/order-status.entity.ts';
import { postcodePatterns } from '../../../domain/platform/directory/postcode-patterns.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const { fork, change } = booksOf(() => api.orm);

const get = (path: string) => api.call('GET', path, { token: api.tokens.register });

test('every order status is listed, a merchant’s own included', async () => {
  const em = fork();
  em.create(OrderStatus, { status: 'ready_for_pickup', label: 'Ready for pickup' });
  await em.flush();
  const { status, body } = await get('/V1/pos/order-statuses');
  expect(status).toBe(200);
  expect(body).toHaveLength(10);
  expect(body).toEqual(
    expect.arrayContaining([
      { status: 'complete', label: 'Complete', states: ['complete'], is_default: true },
      { status: 'fraud', label: 'Suspected Fraud', states: ['payment_review', 'processing'], is_default: false },
      { status: 'ready_for_pickup', label: 'Ready for pickup', states: [], is_default: false },
    ]),
  );
});

test('a merchant’s own status is listed under its states, and marked where it is a state’s default', async () => {
  const em = fork();
  em.create(OrderStatus, { status: 'a_packed', label: 'A packed' });
  for (const state of ['processing', 'complete'] as const)
    em.create(OrderStatusState, { status: 'a_packed', state, isDefault: false });
  await em.flush();
  const first = async () => (await get('/V1/pos/order-statuses')).body[0];
  expect(await first()).toEqual({
    status: 'a_packed',
    label: 'A packed',
    states: ['complete', 'processing'],
    is_default: false,
  });

  await change('sales_order_status_state', { state: 'complete' }, { is_default: false });
  await change('sales_order_status_state', { state: 'complete', status: 'a_packed' }, { is_default: true });
  expect(await first()).toMatchObject({ is_default: true });
});

test('postcode patterns are a JSON text in JSON, by country', async () => {
  const { status, body } = await get('/V1/pos/postcode-patterns');
  expect(status).toBe(200);
  expect(typeof body).toBe('string');
  const patterns = JSON.parse(body);
  expect(patterns).toEqual(postcodePatterns);
  expect(patterns.US).toEqual([
    { pattern: '^[0-9]{5}$', example: '12345' },
    { pattern: '^[0-9]{5}-[0-9]{4}$', example: '12345-6789' },
  ]);
});

test('a country without postcodes has no rule', async () => {
  const patterns = JSON.parse((await get('/V1/pos/postcode-patterns')).body);
  expect(['AE', 'BS', 'HK', 'QA', 'ZW'].filter((country) => country in patterns)).toEqual([]);
  expect(Object.values<unknown[]>(patterns).filter((rules) => rules.length === 0)).toEqual([]);
});
