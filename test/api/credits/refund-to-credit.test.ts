import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { money, toWire } from '../../../domain/money/amount.ts';
import { findGiftCard } from '../../../db/gift-cards/find-gift-card.ts';
import { findPoints } from '../../../db/reward-points/read-points.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { findBalance } from '../../../db/store-credit/wallet.repository.ts';
import { verify } from '../../../books/verify/verify.ts';
import { startCreditSimulator, type CreditSimulator } from '../../../local/credit-simulator/server.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';

let api: TestApi;
let outside: CreditSimulator;

beforeAll(async () => {
  outside = await startCreditSimulator();
  api = await testApi({ settings: { CREDIT_SERVICE_URL: outside.url }, expectsFaults: true });
  await aShop(fork());
  await pointsOn(fork());
});
afterAll(async () => {
  await api.close();
  await outside.stop();
});

const fork = () => api.orm.em.fork();
const refund = (body: unknown, requestId?: string) =>
  api.call('POST', '/V1/pos/credits/refund', {
    token: api.tokens.register,
    body,
    ...(requestId === undefined ? {} : { headers: { 'x-request-id': requestId } }),
  });
const asked = (orderId: unknown, more: object = {}) => ({
  orderId: String(orderId),
  creditType: 'store_credit',
  provider: '',
  amount: 10,
  reason: 'a return',
  code: null,
  ...more,
});
/** Two mugs at 50 with 8 tax, of which one came back: 54 refunded. */
const aRefundedSale = async (wanted: WantedOrder = {}) => {
  const customerId = await aCustomer(fork());
  const sale = await anOrder(fork(), { customerId, ...wanted });
  await refundPieces(fork(), sale, 1);
  return { customerId, orderId: sale.orderId };
};
const walletOf = async (customerId: number) => toWire((await findBalance(fork(), customerId, 1)).amount);
const refundsOf = (orderId: number) =>
  fork().execute<{ state: string; amount: string }[]>(
    'select state, amount from credit_refund where order_id = ? order by refund_id',
    [orderId],
  );
const booksHold = async () =>
  expect(
    (await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => /^(?:I-13|I-2[234]|[BKL]-)/.test(id)),
  ).toEqual([]);

test('goes to the wallet of who placed the order, and answers every field', async () => {
  const { orderId, customerId } = await aRefundedSale();

  expect((await refund(asked(orderId))).body).toEqual({
    success: true,
    amount_applied: 10,
    remaining_balance: 10,
    transaction_id: expect.stringMatching(/^store-credit-entry-\d+$/),
    error_message: null,
  });
  expect(await walletOf(customerId)).toBe(10);
  expect(await refundsOf(orderId)).toEqual([{ state: 'booked', amount: '10.0000' }]);
  expect(
    await fork().execute(
      `select e.admin_user_id, e.api_user_type, e.api_user_id > 0 as is_named
       from store_credit_entry e join store_credit_wallet w on w.wallet_id = e.wallet_id where w.customer_id = ?`,
      [customerId],
    ),
  ).toEqual([{ admin_user_id: null, api_user_type: 'integration', is_named: true }]);
});

test('a zero means the order’s own customer, and a guest has no wallet', async () => {
  const { orderId, customerId } = await aRefundedSale();
  expect((await refund(asked(orderId, { customerId: 0 }))).body).toMatchObject({ success: true });
  expect(await walletOf(customerId)).toBe(10);

  const guest = await anOrder(fork());
  await refundPieces(fork(), guest, 1);
  expect((await refund(asked(guest.orderId, { customerId: 0 }))).body).toMatchObject({
    success: false,
    error_message: 'This credit belongs to a customer; name one.',
  });
});

test('goes to a gift card and to points, by what they are worth', async () => {
  const { orderId, customerId } = await aRefundedSale();
  const code = await aGiftCard(fork());

  const card = await refund(asked(orderId, { creditType: 'gift_card', code: code.toLowerCase() }));
  const points = await refund(asked(orderId, { creditType: 'reward_points', customerId }));

  expect(card.body).toMatchObject({ success: true, remaining_balance: 60 });
  expect(points.body).toMatchObject({ success: true, amount_applied: 10, remaining_balance: 1_000 });
  const byOtherName = await refund(asked(orderId, { creditType: 'loyalty_points', customerId, amount: 1 }));
  expect(byOtherName.body).toMatchObject({ success: true, remaining_balance: 1_100 });
  expect((await findGiftCard(fork(), code))?.balance).toBe(money('60.0000'));
  expect(await findPoints(fork(), customerId, 1)).toBe(1_100);
  await booksHold();
});

test('points come in whole steps: another amount is refused with the reason', async () => {
  const { orderId, customerId } = await aRefundedSale();
  const toPoints = (amount: number) => refund(asked(orderId, { creditType: 'reward_points', customerId, amount }));
  await pointsOn(fork(), { 'spending/granularity': '100' });

  expect((await toPoints(1.99)).body).toMatchObject({
    success: false,
    amount_applied: 0,
    error_message: 'Points are given in steps worth 1: 1.99 is not a multiple of that.',
  });
  expect((await toPoints(2)).body).toMatchObject({ success: true, amount_applied: 2, remaining_balance: 200 });
  await pointsOn(fork(), { 'spending/granularity': '1' });
});

test('a key that a caller chose is never taken for a refund’s', async () => {
  const { orderId, customerId } = await aRefundedSale();
  const [last] = await fork().execute<{ id: number }[]>('select max(refund_id) as id from credit_refund');
  const guess = anEntry(customerId, { amount: '1', idempotencyKey: `credit-refund-${(last?.id ?? 0) + 1}` });
  await addEntry(fork(), guess);

  expect((await refund(asked(orderId, { amount: 50 }))).body).toMatchObject({ success: true, remaining_balance: 51 });
  await booksHold();
});

test('an order in another currency refunds its own amount, and its worth is booked', async () => {
  const { orderId, customerId } = await aRefundedSale({ rate: '1.36', currency: 'CAD', storeId: 2 });
  expect((await refund(asked(orderId, { amount: 13.6 }))).body).toMatchObject({ success: true, amount_applied: 13.6 });
  expect(await walletOf(customerId)).toBe(10);
});

describe('at most what was refunded', () => {
  test('all calls together', async () => {
    const { orderId, customerId } = await aRefundedSale();
    expect((await refund(asked(orderId, { amount: 50 }))).body.success).toBe(true);
    expect((await refund(asked(orderId, { amount: 4.01 }))).body).toEqual({
      success: false,
      amount_applied: 0,
      remaining_balance: null,
      transaction_id: null,
      error_message: 'The amount 4.01 exceeds the remaining refundable amount 4.',
    });
    expect((await refund(asked(orderId, { amount: 4 }))).body.success).toBe(true);
    expect(await walletOf(customerId)).toBe(54);
  });

  test('counted in cents, however small the parts', async () => {
    const { orderId, customerId } = await aRefundedSale();
    expect((await refund(asked(orderId, { amount: 1.005 }))).body).toMatchObject({
      success: true,
      amount_applied: 1.01,
    });
    await refund(asked(orderId, { amount: 52.98 }));
    const parts = await Promise.all(Array.from({ length: 5 }, () => refund(asked(orderId, { amount: 0.005 }))));
    expect(parts.filter(({ body }) => body.success)).toHaveLength(1);
    expect(await walletOf(customerId)).toBe(54);
    await booksHold();
  });

  test('in the base currency too: what rounds up each time gains nothing all together', async () => {
    const { orderId, customerId } = await aRefundedSale({ rate: '1.36', currency: 'CAD', storeId: 2 });
    await refund(asked(orderId, { amount: 73.37 }));
    for (let n = 0; n < 7; n++) await refund(asked(orderId, { amount: 0.01 }));
    expect(await walletOf(customerId)).toBe(54);
    await booksHold();
  });

  test('not for the number on a receipt, which is another order as an id', async () => {
    const { orderId, customerId } = await aRefundedSale();
    const printed = await refund(asked(String(orderId).padStart(9, '0'), { customerId }));
    expect(printed.body).toMatchObject({ success: false, error_message: expect.stringContaining("doesn't exist") });
    expect(await refundsOf(orderId)).toEqual([]);
  });

  test('nothing before anything was refunded', async () => {
    const { orderId } = await anOrder(fork(), { customerId: await aCustomer(fork()) });
    expect((await refund(asked(orderId))).body).toMatchObject({ success: false });
    expect(await refundsOf(orderId)).toEqual([]);
  });

  test.each([2, 8, 50])('with %i at once', async (count) => {
    const { orderId, customerId } = await aRefundedSale();
    const answers = await Promise.all(Array.from({ length: count }, () => refund(asked(orderId, { amount: 30 }))));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
    expect(await walletOf(customerId)).toBe(30);
    await booksHold();
  });

  test.each([2, 8, 50])('the same request %i times at once is one refund', async (count) => {
    const { orderId, customerId } = await aRefundedSale();
    const answers = await Promise.all(Array.from({ length: count }, () => refund(asked(orderId), `once-${count}`)));
    expect(new Set(answers.map(({ body }) => body.transaction_id)).size).toBe(1);
    expect(answers.every(({ body }) => body.success)).toBe(true);
    expect(await walletOf(customerId)).toBe(10);
  });
});

test('the same request id for another refund is refused', async () => {
  const { orderId } = await aRefundedSale();
  await refund(asked(orderId), 'mine');
  expect((await refund(asked(orderId, { amount: 11 }), 'mine')).body).toMatchObject({ success: false });
});

test('the same request id for another card or another customer is refused, and says nothing went there', async () => {
  const { orderId } = await aRefundedSale();
  const [card, another] = [await aGiftCard(fork(), { amount: '5' }), await aGiftCard(fork(), { amount: '5' })];
  const toCard = (code: string) => asked(orderId, { creditType: 'gift_card', code });
  expect((await refund(toCard(card), 'a-card')).body).toMatchObject({ success: true, remaining_balance: 15 });
  expect((await refund(toCard(another), 'a-card')).body).toMatchObject({ success: false, amount_applied: 0 });
  expect((await findGiftCard(fork(), another))?.balance).toBe(money('5'));
  await refund(asked(orderId), 'a-wallet');
  const somebodyElse = asked(orderId, { customerId: await aCustomer(fork()) });
  expect((await refund(somebodyElse, 'a-wallet')).body).toMatchObject({ success: false, amount_applied: 0 });
});

test.each([
  ['an order nobody knows', { orderId: '999999' }],
  ['an order id with words', { orderId: 'abc' }],
  ['an order id with spaces', { orderId: ' 1 ' }],
  ['no order', { orderId: null }],
  ['an order id beyond all', { orderId: '99999999999999999999' }],
  ['a kind nobody provides', { creditType: 'magic' }],
  ['a provider there is not', { provider: 'nobody' }],
  ['nothing', { amount: 0 }],
  ['less than nothing', { amount: -1 }],
  ['a part of a hundredth of a cent', { amount: 0.00001 }],
  ['far too much', { amount: 1e20 }],
  ['no amount', { amount: null }],
  ['a word', { amount: 'NaN' }],
  ['a list', { amount: [10] }],
  ['a card without a code', { creditType: 'gift_card' }],
  ['a card nobody knows', { creditType: 'gift_card', code: 'NOBODY' }],
  ['a customer nobody knows', { customerId: 999_999 }],
  ['a reason without end', { reason: 'x'.repeat(1_001) }],
])('%s: 200 with its sentence, and nothing moves', async (_case, more) => {
  const { orderId, customerId } = await aRefundedSale();
  const { status, body } = await refund({ ...asked(orderId), ...more });
  expect([status, body.success, body.amount_applied]).toEqual([200, false, 0]);
  expect(body.error_message).toEqual(expect.any(String));
  expect(body.error_message).not.toMatch(/%\w/);
  expect(await walletOf(customerId)).toBe(0);
  expect((await refundsOf(orderId)).filter(({ state }) => state !== 'failed')).toEqual([]);
});

test('the sentences of the interface', async () => {
  const { orderId } = await aRefundedSale();
  const sentence = async (more: object) => (await refund({ ...asked(orderId), ...more })).body.error_message;
  expect(await sentence({ creditType: 'magic' })).toBe('No provider is installed for credit type magic.');
  expect(await sentence({ amount: 999 })).toBe('The amount 999 exceeds the remaining refundable amount 54.');
});

test('everything that is missing is named', async () => {
  expect((await refund({})).body.error_message).toMatch(/"orderId" is required.*"creditType" is required.*"amount"/);
});

test('a guest’s order names whose wallet it is', async () => {
  const sale = await anOrder(fork());
  await refundPieces(fork(), sale, 1);
  expect((await refund(asked(sale.orderId))).body.success).toBe(false);
  const customerId = await aCustomer(fork());
  expect((await refund(asked(sale.orderId, { customerId }))).body.success).toBe(true);
});

test('another customer than the order’s is refused, whatever the credit is', async () => {
  const { orderId, customerId } = await aRefundedSale();
  const stranger = await aCustomer(fork());
  const sentence = `The order belongs to another customer than ${stranger}.`;
  for (const credit of [
    {},
    { creditType: 'gift_card', code: await aGiftCard(fork()) },
    { creditType: 'reward_points' },
  ])
    expect((await refund({ ...asked(orderId, { customerId: stranger }), ...credit })).body).toMatchObject({
      success: false,
      error_message: sentence,
    });
  expect([await walletOf(customerId), await walletOf(stranger)]).toEqual([0, 0]);
});

describe('at a provider outside', () => {
  const toOutside = (orderId: number, requestId?: string) =>
    refund(asked(orderId, { creditType: 'gift_card', provider: 'credit_service', code: 'OUT-1' }), requestId);

  test('it is given once', async () => {
    outside.balances.set('OUT-1', 0);
    const { orderId } = await aRefundedSale();
    expect((await toOutside(orderId)).body).toMatchObject({ success: true, remaining_balance: 10 });
    expect(outside.balances.get('OUT-1')).toBe(100_000);
  });

  test.each(['drops', 'fails', 'babbles', 'other_currency', 'other_amount', 'endless', 'acts_and_drops'] as const)(
    'that %s: it stays reserved, counts, and the same request finds out with the same key',
    async (mood) => {
      outside.balances.set('OUT-1', 0);
      const { orderId } = await aRefundedSale();
      outside.mood = mood;
      const lost = await toOutside(orderId, `lost-${mood}`);
      outside.mood = 'answers';

      expect(lost.body).toMatchObject({ success: false, error_message: expect.stringContaining('asked again') });
      expect(await refundsOf(orderId)).toEqual([{ state: 'reserved', amount: '10.0000' }]);
      expect((await refund(asked(orderId, { amount: 45 }))).body.success).toBe(false);
      expect((await toOutside(orderId, `lost-${mood}`)).body).toMatchObject({ success: true });
      expect(outside.balances.get('OUT-1')).toBe(100_000);
      expect(await refundsOf(orderId)).toEqual([{ state: 'booked', amount: '10.0000' }]);
    },
  );
});

test('a ledger that does not take it after the provider gave is logged, is a success, and counts', async () => {
  const { orderId, customerId } = await aRefundedSale();
  await fork().execute(`create function no_booking() returns trigger language plpgsql as
    $$ begin raise exception 'the disk is full'; end $$`);
  await fork().execute(
    `create trigger no_booking before update on credit_refund for each row execute function no_booking()`,
  );
  try {
    expect((await refund(asked(orderId))).body).toMatchObject({
      success: true,
      amount_applied: 10,
      remaining_balance: 10,
    });
  } finally {
    await fork().execute('drop trigger no_booking on credit_refund');
    await fork().execute('drop function no_booking');
  }
  expect(await walletOf(customerId)).toBe(10);
  expect((await refund(asked(orderId, { amount: 45 }))).body.success).toBe(false);
});
