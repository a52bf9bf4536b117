import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OrderStatus } from '../../../db/platform/orders/order-status.entity.ts';
import { postcodePatterns } from '../../../domain/platform/directory/postcode-patterns.ts';
import { testApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const get = (path: string) => api.call('GET', path, { token: api.tokens.register });

test('every order status is listed, a merchant’s own included', async () => {
  const em = api.orm.em.fork();
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
