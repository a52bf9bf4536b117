import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aShop } from '../../support/builders/shop.ts';

let api: TestApi;
beforeAll(async () => {
  // A gateway has an address; no call is made.
  api = await testApi({ settings: { GATEWAY_SIMULATOR_URL: 'http://127.0.0.1:9' } });
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const save = (entity: object) => api.call('POST', '/V1/orders', { token: api.tokens.register, body: { entity } });
const saidOf = (body: { status_histories: { comment: string }[] }) =>
  body.status_histories.map(({ comment }) => comment);

test('a card sale without a transaction is placed, and its history says at once what that means', async () => {
  const { status, body } = await save(aPostedSale({ payment: { method: 'provider_a' } }));
  expect(status).toBe(200);
  expect(saidOf(body)).toContain(
    'This payment by "provider_a" cannot be tracked: the order came without its transaction id. Until a save of the order tells it, the register cannot refund the card.',
  );
  const saved = await save({ entity_id: body.entity_id, payment: { last_trans_id: 'pay_1' } });
  expect(saved).toMatchObject({ status: 200, body: { payment: { last_trans_id: 'pay_1' } } });
});

test.each([
  ['a card sale with one', { method: 'provider_b', last_trans_id: 'pay_1' }],
  ['a cash sale', { method: 'checkmo' }],
])('%s needs no such word', async (_case, payment) => {
  const { body } = await save(aPostedSale({ payment }));
  expect(saidOf(body)).toEqual(['The order was placed.']);
});
