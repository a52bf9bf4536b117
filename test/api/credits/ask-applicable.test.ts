import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { givePoints, pointsOn } from '../../support/builders/points.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { atOnce } from '../../support/rivals.ts';

let api: TestApi;
let customerId: number;

beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  await pointsOn(fork(), { 'spending/minimum_points': '100', 'spending/granularity': '50' });
  customerId = await aCustomer(fork());
  await addEntry(fork(), anEntry(customerId, { amount: '25' }));
  await givePoints(fork(), customerId, 780);
  await aGiftCard(fork(), { code: 'Half-50' });
});
afterAll(() => api.close());

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
  expect((await ask({ ...small, subtotal_incl_tax: 4 })).body).toMatchObject({ applies_as: 'discount', max_amount: 4 });
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
  ['more lines than any cart has', { lines: Array.from({ length: 10_001 }, () => ({ sku: 'A' })) }, expect.any(String)],
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
