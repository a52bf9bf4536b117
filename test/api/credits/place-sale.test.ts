import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCreditActivities } from '../../../activities/credits/credit-activities.ts';
import { patienceMinutes } from '../../../db/credits/find-lost-spendings.ts';
import { startCreditSimulator, type CreditSimulator } from '../../../local/credit-simulator/server.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aCustomerWithCredit, walletOf } from '../../support/builders/credit.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { silent } from '../../support/fakes.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { minutesAgo } from '../../support/moments.ts';

let api: TestApi;
let outside: CreditSimulator;
let sweep: () => Promise<number>;

beforeAll(async () => {
  outside = await startCreditSimulator();
  api = await testApi({ settings: { CREDIT_SERVICE_URL: outside.url }, expectsFaults: true });
  await aShop(fork());
  const { orm, providers } = api;
  const activities = createCreditActivities({ orm, providers, log: silent });
  sweep = () => activities.deliverCreditReturns();
});
beforeEach(() => {
  outside.mood = 'answers';
});
afterAll(async () => {
  outside.mood = 'answers';
  await later();
  await sweep();
  await booksHold();
  expect(await howMany('credit_spending', { state: ['reserved', 'returning'] })).toBe(0);
  await api.close();
  await outside.stop();
});

const { find, fork, howMany, change, booksHold } = booksOf(() => api.orm);
/** So late that no register sends any of it again. */
const later = () => change('credit_spending', { order_id: null }, { updated_at: minutesAgo(patienceMinutes + 1) });

let made = 0;
/** A card that is kept outside, with fifty on it, and a sale of 108 that thirty of it pay for. */
function aSale(over: Record<string, unknown> = {}, credits: readonly object[] = []) {
  const code = `OUTSIDE-CARD-${++made}`;
  const saleId = `sale-outside-${made}`;
  outside.balances.set(code, 500_000);
  const credit = { credit_type: 'gift_card', provider_code: 'credit_service', code, amount: 30 };
  const entity = (amount = 30) =>
    aPostedSale({
      extension_attributes: { pos_sale_id: saleId, pos_applied_credits: [{ ...credit, amount }, ...credits] },
      ...over,
    });
  return { code, saleId, credit, entity, left: () => (outside.balances.get(code) ?? 0) / 10_000 };
}

const post = (entity: object, headers: Record<string, string> = {}) =>
  api.call('POST', '/V1/orders', { token: api.tokens.register, body: { entity }, headers });
const ordersOf = (saleId: string) => find('sales_order', { pos_sale_id: saleId }, 'entity_id');

describe('credit kept outside', () => {
  test('is spent there, once, and pays for the order it was sent with', async () => {
    const { entity, code, left } = aSale();
    const { status, body } = await post(entity());
    expect({ status, paid: body.total_paid, due: body.total_due }).toEqual({ status: 200, paid: 30, due: 78 });
    expect(body.extension_attributes.pos_applied_credits).toMatchObject([
      { kind: 'gift_card', provider_code: 'credit_service', direction: 'applied', amount: 30 },
    ]);
    expect(JSON.stringify(body)).not.toContain(code);
    expect(left()).toBe(20);
  });

  test('is back with its keeper when the order is cancelled', async () => {
    const { entity, left } = aSale();
    const { body } = await post(entity());
    await api.call('POST', `/V1/orders/${body.entity_id}/cancel`, { token: api.tokens.admin });
    expect(left()).toBe(20);
    await sweep();
    await sweep();
    expect(left()).toBe(50);
  });

  test('may stand beside credit of our own', async () => {
    const customerId = await aCustomerWithCredit(api.orm, '40');
    const { entity, left } = aSale({ customer_id: customerId }, [{ credit_type: 'store_credit', amount: 40 }]);
    const { body } = await post(entity());
    expect([body.total_paid, left(), await walletOf(api.orm, customerId)]).toEqual([70, 20, '0.0000']);
  });

  test('sent eight times at once is spent once, for one order', async () => {
    const { entity, saleId, left } = aSale();
    const answers = await eightAtOnce(() => post(entity()));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.entity_id)).size).toBe(1);
    expect(await ordersOf(saleId)).toHaveLength(1);
    expect(left()).toBe(20);
  });

  test('sent again after the order was placed, it is answered that order', async () => {
    const { entity, left } = aSale();
    const { body } = await post(entity());
    const again = await post(entity());
    expect([again.status, again.body]).toEqual([200, body]);
    expect(left()).toBe(20);
  });
});

describe('what the provider refuses', () => {
  test('is a 400 with its sentence, and nothing is saved or spent', async () => {
    const { entity, saleId, left } = aSale();
    const { status, body } = await post(entity(50.01));
    expect({ status, said: body.parameters }).toEqual({
      status: 400,
      said: ['a gift card', 'There is not enough on it.'],
    });
    expect([await ordersOf(saleId), left()]).toEqual([[], 50]);
  });

  test('takes back what another card gave, and less of it can be paid at once', async () => {
    const other = aSale();
    const { entity, saleId, left } = aSale({}, [{ ...other.credit, amount: 50.01 }]);
    expect((await post(entity())).status).toBe(400);
    expect([left(), other.left(), await ordersOf(saleId)]).toEqual([50, 50, []]);
    outside.balances.set(other.code, 600_000);
    expect((await post(entity())).status).toBe(200);
    expect([left(), other.left()]).toEqual([20, 9.99]);
  });

  test.each([
    ['an unknown provider', { provider_code: 'acme' }],
    ['a provider of another kind', { credit_type: 'store_credit', code: undefined }],
    ['one of our own under its name', { provider_code: 'reward_points' }],
  ])('%s is refused before anything is written down', async (_case, over) => {
    const { credit, saleId } = aSale();
    const customerId = await aCustomerWithCredit(api.orm, '1');
    const credits = [{ ...credit, ...over }];
    const asked = outside.asked.length;
    const entity = aPostedSale({
      customer_id: customerId,
      extension_attributes: { pos_sale_id: saleId, pos_applied_credits: credits },
    });
    expect((await post(entity)).status).toBe(400);
    expect(outside.asked).toHaveLength(asked);
    expect(await howMany('credit_spending', { request_key: `sale-${saleId}` })).toBe(0);
  });
});

describe('an order that is refused', () => {
  test('for something else was found out before anything was spent', async () => {
    const { credit, entity } = aSale({}, [{ credit_type: 'store_credit', amount: 5 }]);
    const asked = outside.asked.length;
    const empty = await aCustomerWithCredit(api.orm, '1');
    expect((await post({ ...entity(), customer_id: empty })).status).toBe(400);
    expect((await post(aPostedSale({ extension_attributes: { pos_applied_credits: [credit] } }))).status).toBe(400);
    expect(outside.asked).toHaveLength(asked);
  });

  test('with a name that is taken spends nothing', async () => {
    const { body } = await post(aPostedSale());
    const { entity, left } = aSale({ increment_id: body.increment_id });
    expect((await post(entity())).status).toBe(400);
    expect(left()).toBe(50);
  });
});

describe('a provider that does not say', () => {
  test.each([
    ['hangs up before it took anything', 'drops', 50],
    ['hangs up after it took it', 'acts_and_drops', 20],
    ['fails', 'fails', 50],
    ['babbles', 'babbles', 50],
    ['speaks of another amount', 'other_amount', 20],
    ['speaks of another currency', 'other_currency', 20],
  ] as const)('%s: 503, no order, and the same order again is paid once', async (_case, mood, then) => {
    const { entity, saleId, left } = aSale();
    outside.mood = mood;
    expect((await post(entity())).status).toBe(503);
    expect([await ordersOf(saleId), left()]).toEqual([[], then]);
    outside.mood = 'answers';
    expect((await post(entity())).status).toBe(200);
    expect(left()).toBe(20);
  });

  test('gives it back when no order came, once, and takes nothing under that key any more', async () => {
    const { entity, saleId, left } = aSale();
    outside.mood = 'acts_and_drops';
    await post(entity());
    outside.mood = 'answers';
    await sweep();
    expect(left()).toBe(20);

    await later();
    outside.mood = 'fails';
    await sweep();
    expect(left()).toBe(20);
    outside.mood = 'acts_and_drops';
    await sweep();
    outside.mood = 'answers';
    await sweep();
    await sweep();
    expect(left()).toBe(50);
    expect(await find('credit_spending', { request_key: `sale-${saleId}` }, 'state')).toEqual([{ state: 'returned' }]);
  });

  test('and whose order comes later is asked again', async () => {
    const { entity, left } = aSale();
    outside.mood = 'acts_and_drops';
    await post(entity());
    outside.mood = 'answers';
    await later();
    await sweep();
    expect((await post(entity())).status).toBe(200);
    expect(left()).toBe(20);
  });

  test('gets its spending undone when the order is changed', async () => {
    const { entity, left } = aSale();
    outside.mood = 'acts_and_drops';
    await post(entity(30));
    outside.mood = 'answers';
    expect((await post(entity(45))).status).toBe(200);
    expect(left()).toBe(5);
  });
});

test('an order without any name of its own is refused; the request’s is one', async () => {
  const { credit, left } = aSale();
  const entity = aPostedSale({ extension_attributes: { pos_applied_credits: [credit] } });
  expect((await post(entity)).status).toBe(400);
  const headers = { 'x-request-id': 'till-1-sale-77' };
  outside.mood = 'acts_and_drops';
  expect((await post(entity, headers)).status).toBe(503);
  outside.mood = 'answers';
  expect((await post(entity, headers)).status).toBe(200);
  expect((await post(entity, headers)).status).toBe(400);
  expect(left()).toBe(20);
});
