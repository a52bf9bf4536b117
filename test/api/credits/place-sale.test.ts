import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCreditActivities } from '../../../activities/credits.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { patienceMinutes } from '../../../db/credits/find-credit-work.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { type CreditSimulator, startCreditSimulator } from '../../../local/simulators/app.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aCustomerWithCredit, walletOf } from '../../support/builders/credit.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { givePoints, pointsOn } from '../../support/builders/points.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { silent } from '../../support/fakes.ts';
import { useApi } from '../../support/fixtures.ts';
import { minutesAgo } from '../../support/moments.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';

describe('ask applicable', () => {
  const api = useApi();
  let customerId: number;

  beforeAll(async () => {
    await aShop(fork());
    await pointsOn(fork(), { 'spending/minimum_points': '100', 'spending/granularity': '50' });
    customerId = await aCustomer(fork());
    await addEntry(fork(), anEntry(customerId, { amount: '25' }));
    await givePoints(fork(), customerId, 780);
    await aGiftCard(fork(), { code: 'Half-50' });
  });

  const { fork } = booksOf(() => api.orm);
  const ask = (body: unknown) => api.call('POST', '/V1/pos/credits/applicable', { token: api.tokens.register, body });
  const aCart = (more: object = {}) => ({
    credit_type: 'store_credit',
    customer_id: customerId,
    store_id: 1,
    subtotal: 100,
    subtotal_incl_tax: 108,
    discount_amount: 0,
    discount_tax_compensation_amount: 0,
    shipping_amount: 5,
    shipping_incl_tax: 5,
    shipping_discount_amount: 0,
    shipping_discount_tax_compensation_amount: 0,
    tax_amount: 8,
    grand_total: 113,
    lines: [{ sku: 'MUG', qty: 2, row_total: 100, row_total_incl_tax: 108, discount_amount: 0 }],
    applied_credits: [],
    ...more,
  });

  test('store credit answers every field', async () => {
    expect((await ask(aCart())).body).toEqual({
      outcome: 'supported',
      credit_type: 'store_credit',
      provider_code: 'store_credit',
      code: null,
      applies_as: 'tender',
      balance: 25,
      max_amount: 25,
      min_amount: 0.01,
      min_points: null,
      max_points: null,
      points_rate: null,
      points_granularity: null,
      amount_step: 0.01,
      round_rule: 'floor',
      is_redeemable: true,
      reason: null,
      lines: [{ sku: 'MUG', is_eligible: true, reason: null }],
    });
  });

  test('a gift card is found in any case of letters, and credit on the cart counts', async () => {
    const applied = [{ credit_type: 'gift_card', code: 'HALF-50', amount: 20 }];
    expect(
      (await ask(aCart({ credit_type: 'gift_card', code: 'half-50', applied_credits: applied }))).body,
    ).toMatchObject({
      outcome: 'supported',
      code: 'Half-50',
      balance: 50,
      max_amount: 30,
    });
  });

  test.each([
    ['in the words of an order', { kind: 'gift_card', provider_code: 'gift_card', applies_as: 'tender', amount: 90 }],
    ['in the word of a balance', { credit_type: 'loyalty_points', points: 9000, amount: 90 }],
    ['of an unknown kind', { credit_type: 'voucher', amount: 90 }],
    ['of no kind', { amount: 90 }],
    ['with the sign of a discount', { credit_type: 'gift_card', code: 'OTHER', amount: -90 }],
  ])('a credit that is on the cart already, %s, leaves less to pay', async (_case, applied) => {
    expect((await ask(aCart({ applied_credits: [applied] }))).body).toMatchObject({
      outcome: 'supported',
      max_amount: 23,
    });
  });

  test('store credit that is on the cart already, in the words of an order, is not spent twice', async () => {
    const applied = [{ kind: 'store_credit', provider_code: 'store_credit', applies_as: 'tender', amount: 20 }];
    expect((await ask(aCart({ applied_credits: applied }))).body).toMatchObject({ max_amount: 5 });
  });

  test('points answer their limits in steps, in the currency of the cart', async () => {
    expect((await ask(aCart({ credit_type: 'reward_points', store_id: 2 }))).body).toMatchObject({
      outcome: 'supported',
      balance: 780,
      min_points: 100,
      max_points: 750,
      points_rate: 0.0136,
      points_granularity: 50,
      min_amount: 1.36,
      max_amount: 10.2,
    });
  });

  test('as a discount, points pay for goods only', async () => {
    const set = (value: string) =>
      setConfigValue(fork(), secretBox, { path: 'vendor_reward_points/spending/applies_as', value });
    await set('discount');
    const small = aCart({ credit_type: 'reward_points', grand_total: 9, subtotal: 4, tax_amount: 0, lines: [] });
    expect((await ask({ ...small, subtotal_incl_tax: 4 })).body).toMatchObject({
      applies_as: 'discount',
      max_amount: 4,
    });
    await set('tender');
  });

  test.each([
    ['an unknown card', { credit_type: 'gift_card', code: 'NOBODY' }, 'Gift card with code NOBODY not found.'],
    ['a card without a code', { credit_type: 'gift_card' }, 'A gift card is named by its code.'],
    ['nobody', { customer_id: null }, 'This credit belongs to a customer; name one.'],
    [
      'an unknown customer’s points',
      { credit_type: 'reward_points', customer_id: 999_999 },
      'There is no such customer.',
    ],
    ['an unknown customer', { customer_id: 999_999 }, 'No such entity with customerId = 999999'],
    ['an unknown store', { store_id: 99 }, 'There is no such store view.'],
    ['what is no amount', { grand_total: 'NaN' }, expect.stringContaining('NaN')],
    ['amounts beyond counting', { subtotal: 9e14, grand_total: null, tax_amount: 9e14 }, expect.any(String)],
    ['lines that are none', { lines: 'x' }, expect.any(String)],
    ['what is no line', { lines: [null] }, expect.any(String)],
    [
      'more lines than any cart has',
      { lines: Array.from({ length: 10_001 }, () => ({ sku: 'A' })) },
      expect.any(String),
    ],
  ])('%s: 200, failed, and nothing to spend', async (_case, more, reason) => {
    const { status, body } = await ask(aCart(more));
    expect(status).toBe(200);
    expect(body).toMatchObject({ outcome: 'failed', max_amount: 0, is_redeemable: false, reason });
  });

  test('what can be read of a question that does not fit is answered with it', async () => {
    const cart = aCart({ customer_id: 'abc', lines: [{ sku: 'MUG', row_total: 10 }] });
    expect((await ask(cart)).body).toMatchObject({
      outcome: 'failed',
      credit_type: cart.credit_type,
      lines: [{ sku: 'MUG', is_eligible: false }],
    });
  });

  test.each([{}, { lines: 5 }, []])('a body with nothing in it is 200 and failed: %j', async (body) => {
    expect(await ask(body)).toMatchObject({ status: 200, body: { outcome: 'failed' } });
  });

  test.each([
    ['the scope of all stores', '/rest/all/V1/pos/credits', undefined],
    ['a store view of 0', '/V1/pos/credits', 0],
  ])('in %s the default store view counts', async (_case, path, storeId) => {
    const token = api.tokens.register;
    const body = aCart({ credit_type: 'gift_card', code: 'half-50', store_id: storeId });
    expect((await api.call('POST', `${path}/applicable`, { token, body })).body).toMatchObject({ max_amount: 50 });
    expect((await api.call('GET', `${path}/giftcard/half-50`, { token })).body).toMatchObject({ is_redeemable: true });
  });

  test('an unknown kind is unsupported', async () => {
    expect((await ask(aCart({ credit_type: 'magic' }))).body).toMatchObject({
      outcome: 'unsupported',
      credit_type: 'magic',
      reason: 'No provider is installed for credit type magic.',
    });
  });

  test('a kind that is switched off is unsupported', async () => {
    const path = 'vendor_gift_card/general/enabled';
    await setConfigValue(fork(), secretBox, { path, value: '0' });
    expect((await ask(aCart({ credit_type: 'gift_card', code: 'Half-50' }))).body).toMatchObject({
      outcome: 'unsupported',
      max_amount: 0,
      lines: [{ sku: 'MUG', is_eligible: false }],
    });
    await setConfigValue(fork(), secretBox, { path, value: '1' });
  });

  test('a total that is not sent is worked out', async () => {
    expect((await ask(aCart({ grand_total: null, subtotal: 1, tax_amount: 1, lines: [] }))).body.max_amount).toBe(7);
  });

  test('ten thousand lines are one answer', async () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => ({ sku: `S${at}`, row_total: 1, qty: 1 }));
    const { body } = await ask(aCart({ lines }));
    expect([body.outcome, body.lines.length]).toEqual(['supported', 10_000]);
  });

  describe('nothing is ever written', () => {
    test.each(['store_credit', 'gift_card', 'reward_points'])('for %s only reads are sent', async (credit_type) => {
      const sent = await statementsOf(() => ask(aCart({ credit_type, code: 'Half-50' })));
      expect(sent.filter((text) => !/^\s*(?:\/\*.*\*\/)?\s*select\b/i.test(text))).toEqual([]);
      expect(sent.filter((text) => /\bfor update\b|\binsert\b|\bupdate\b\s+\w+\s+set|\bdelete\b/i.test(text))).toEqual(
        [],
      );
      // The caller and the store view of the path, what holds there, the balance.
      expect(sent.length).toBeLessThanOrEqual(4);
    });
  });

  /** Every statement that reaches the database while something is asked. */
  async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    const pool = await api.orm.em.getConnection().getNativeClient();
    const clients = await atOnce(10, () => pool.connect());
    const sent: string[] = [];
    const undo = clients.map((client) => {
      const send = client.query.bind(client);
      Object.assign(client, {
        query: (...given: unknown[]): unknown => {
          const [first] = given;
          sent.push(typeof first === 'string' ? first : String(Reflect.get(Object(first), 'text')));
          return Reflect.apply(send, client, given);
        },
      });
      return () => Object.assign(client, { query: send });
    });
    clients.forEach((client) => client.release());
    await work();
    undo.forEach((take) => take());
    return sent;
  }
});

describe('place sale', () => {
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
      expect(await find('credit_spending', { request_key: `sale-${saleId}` }, 'state')).toEqual([
        { state: 'returned' },
      ]);
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
});
