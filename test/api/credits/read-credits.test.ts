import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { findGiftCard } from '../../../db/gift-cards/find-gift-card.ts';
import { findPoints } from '../../../db/reward-points/read-points.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { money } from '../../../domain/money.ts';
import { type CreditSimulator, startCreditSimulator } from '../../../local/simulators/app.ts';
import type { CreditBalance } from '../../../providers/credits/credit-provider.ts';
import { creditsOf } from '../../../providers/credits/credits.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { anOrder } from '../../support/builders/order.ts';
import { givePoints, pointsOn } from '../../support/builders/points.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry, aSecondWebsite } from '../../support/builders/wallet.ts';
import { atOnce } from '../../support/rivals.ts';
import {
  api,
  aRefundedSale,
  asked,
  booksHold,
  opensACreditDesk,
  refund,
  refundsOf,
  walletOf,
} from './a-credit-desk.ts';

describe('read credits', () => {
  let api: TestApi;
  let outside: CreditSimulator;

  beforeAll(async () => {
    outside = await startCreditSimulator();
    api = await testApi({ settings: { CREDIT_SERVICE_URL: outside.url, CREDIT_SERVICE_KIND: 'gift_card' } });
    await aShop(fork());
    await pointsOn(fork());
  });
  afterAll(async () => {
    await api.close();
    await outside.stop();
  });

  const { fork } = booksOf(() => api.orm);
  const get = (path: string) => api.call('GET', `/V1/pos/credits/${path}`, { token: api.tokens.register });

  test('a customer’s wallet and points are listed in order, with every field', async () => {
    const customerId = await aCustomer(fork());
    await addEntry(fork(), anEntry(customerId, { amount: '25' }));
    await givePoints(fork(), customerId, 250);

    expect((await get(`balance/${customerId}`)).body).toEqual([
      {
        type: 'store_credit',
        provider: 'store_credit',
        label: 'Store credit',
        balance: 25,
        currency: 'USD',
        code: null,
        is_redeemable: true,
        currency_value: null,
        points_per_currency: null,
        expires_at: null,
        details: null,
      },
      {
        type: 'loyalty_points',
        provider: 'reward_points',
        label: 'Reward points',
        balance: 250,
        currency: null,
        code: null,
        is_redeemable: true,
        currency_value: 2.5,
        points_per_currency: 100,
        expires_at: null,
        details: { granularity: 1, minimum_points: 0 },
      },
    ]);
  });

  test('a customer without credit has nothing to redeem, and an unknown customer has no credit', async () => {
    const customerId = await aCustomer(fork());
    expect((await get(`balance/${customerId}`)).body).toMatchObject([
      { balance: 0, is_redeemable: false },
      { balance: 0, is_redeemable: false },
    ]);
    for (const id of ['999999', '0', '-1', '99999999999']) expect((await get(`balance/${id}`)).body).toEqual([]);
  });

  test('a provider that is switched off is not asked', async () => {
    const customerId = await aCustomer(fork());
    const set = (value: string) =>
      setConfigValue(fork(), secretBox, { path: 'vendor_store_credit/general/enabled', value });
    await set('0');
    expect((await get(`balance/${customerId}`)).body.map(({ type }: { type: string }) => type)).toEqual([
      'loyalty_points',
    ]);
    await set('1');
  });

  test('a provider that throws, hangs or is given up is skipped', async () => {
    const [wallet] = api.providers.credits.all;
    const provider = (code: string, balances: () => Promise<never[]>) => ({ ...wallet!, code, balances });
    const answering = { ...wallet!, code: 'answers', balances: async () => [aBalance] };
    const credits = creditsOf([
      provider('throws', () => Promise.reject(new Error('away'))),
      provider('hangs', () => new Promise<never>(() => undefined)),
      answering,
    ]);
    const broken = await testApi({ providers: { credits } });
    try {
      await aShop(broken.orm.em.fork());
      const customerId = await aCustomer(broken.orm.em.fork());
      const path = `/V1/pos/credits/balance/${customerId}`;
      expect(await broken.call('GET', path, { token: broken.tokens.register })).toMatchObject({
        status: 200,
        body: [{ provider: 'answers', balance: 7 }],
      });
    } finally {
      await broken.close();
    }
  });

  const aBalance: CreditBalance = {
    kind: 'store_credit',
    providerCode: 'answers',
    label: 'Another wallet',
    money: money('7'),
    points: null,
    currencyCode: 'USD',
    code: null,
    isRedeemable: true,
    currencyValue: null,
    pointsPerCurrency: null,
    expiresAt: null,
    details: null,
  };

  test.each([
    ['PLAIN-1', 'PLAIN-1'],
    ['slash/in/it', 'slash%2Fin%2Fit'],
    ['100%', '100%25'],
    ['with some spaces', 'with%20some%20spaces'],
    ['Grüße ☃ 礼物', 'Gr%C3%BC%C3%9Fe%20%E2%98%83%20%E7%A4%BC%E7%89%A9'],
    ["quote'; drop", "quote'%3B%20drop"],
  ])('the card %s is found by its encoded code, in any case', async (code, encoded) => {
    await aGiftCard(fork(), { code, amount: '12.5', expiresAt: new Date('2030-01-02T03:04:05Z') });
    const expected = {
      type: 'gift_card',
      provider: 'gift_card',
      label: 'Gift card',
      balance: 12.5,
      currency: 'USD',
      code,
      is_redeemable: true,
      currency_value: null,
      points_per_currency: null,
      expires_at: '2030-01-02 03:04:05',
      details: { state: 'active' },
    };
    expect((await get(`giftcard/${encoded}`)).body).toEqual(expected);
    expect((await get(`giftcard/${encodeURIComponent(code.toLowerCase())}`)).body).toEqual(expected);
  });

  test.each(['NOBODY', 'x'.repeat(5_000), '%20', 'slash%2F..%2F..', '%00x'.slice(3)])(
    'an unknown card %# is 404 in the interface’s words',
    async (code) => {
      const { status, body } = await get(`giftcard/${code}`);
      expect([status, body.message]).toEqual([404, 'Gift card with code %1 not found.']);
      expect(body.parameters).toEqual([decodeURIComponent(code)]);
    },
  );

  test('a card of the service outside is found there, and is unknown while that is away or lies', async () => {
    outside.balances.set('OUTSIDE-1', 400_000);
    expect((await get('giftcard/OUTSIDE-1')).body).toMatchObject({ provider: 'credit_service', balance: 40 });
    for (const mood of ['drops', 'fails', 'babbles', 'other_currency', 'endless'] as const) {
      outside.mood = mood;
      expect((await get('giftcard/OUTSIDE-1')).status).toBe(404);
    }
    outside.mood = 'answers';
  });

  test('a card that is expired or disabled is shown, and cannot be spent', async () => {
    await aGiftCard(fork(), { code: 'OLD-1', expiresAt: new Date('2020-01-01T00:00:00Z') });
    expect((await get('giftcard/OLD-1')).body).toMatchObject({ is_redeemable: false, details: { state: 'expired' } });
  });

  test('a card of another website is shown, and cannot be spent here', async () => {
    const websiteId = await aSecondWebsite(fork());
    await aGiftCard(fork(), { code: 'EU-1', websiteId });
    const token = api.tokens.register;

    expect((await get('giftcard/EU-1')).body).toMatchObject({ balance: 50, currency: 'EUR', is_redeemable: false });
    expect((await api.call('GET', '/rest/eu_de/V1/pos/credits/giftcard/EU-1', { token })).body).toMatchObject({
      balance: 50,
      is_redeemable: true,
    });
  });
});

describe('refund to credit refused', () => {
  opensACreditDesk();

  const { fork } = booksOf(() => api.orm);

  /** As a register does: a shop that is too busy for it has done nothing, and is asked again in a moment. */
  async function refundUntilTaken(...given: Parameters<typeof refund>): ReturnType<typeof refund> {
    const answer = await refund(...given);
    return answer.status === 503 ? refundUntilTaken(...given) : answer;
  }

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
        success: false,
        error_message: 'The amount 1.005 cannot be booked: USD has 2 decimals.',
      });
      await refund(asked(orderId, { amount: 53.99 }));
      const parts = await atOnce(5, () => refund(asked(orderId, { amount: 0.01 })));
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
      const printed = await refund(asked(`0${orderId}`, { customerId }));
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
      const answers = await atOnce(count, () => refundUntilTaken(asked(orderId, { amount: 30 })));
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
      expect(await walletOf(customerId)).toBe(30);
      await booksHold();
    });

    test.each([2, 8, 50])('the same request %i times at once is one refund', async (count) => {
      const { orderId, customerId } = await aRefundedSale();
      const answers = await atOnce(count, () => refundUntilTaken(asked(orderId), `once-${count}`));
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
    ['an unknown order', { orderId: '999999' }],
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
    ['an unknown card', { creditType: 'gift_card', code: 'NOBODY' }],
    ['an unknown customer', { customerId: 999_999 }],
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
});

describe('refund to credit', () => {
  opensACreditDesk();

  const { latest, fork, refuseWrites, entriesOf } = booksOf(() => api.orm);

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
    const [entry, ...others] = await entriesOf(customerId, 'admin_user_id', 'api_user_type', 'api_user_id');
    expect(entry).toMatchObject({ admin_user_id: null, api_user_type: 'integration' });
    expect([others, entry?.api_user_id > 0]).toEqual([[], true]);
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
    const last = await latest('credit_refund', 'refund_id');
    const guess = anEntry(customerId, { amount: '1', idempotencyKey: `credit-refund-${last.refund_id + 1}` });
    await addEntry(fork(), guess);

    expect((await refund(asked(orderId, { amount: 50 }))).body).toMatchObject({ success: true, remaining_balance: 51 });
    await booksHold();
  });

  test('an order in another currency refunds its own amount, and its worth is booked', async () => {
    const { orderId, customerId } = await aRefundedSale({ rate: '1.36', currency: 'CAD', storeId: 2 });
    expect((await refund(asked(orderId, { amount: 13.6 }))).body).toMatchObject({
      success: true,
      amount_applied: 13.6,
    });
    expect(await walletOf(customerId)).toBe(10);
  });

  test('a ledger that does not take it: nothing is given, and a repeat gives it once', async () => {
    const { orderId, customerId } = await aRefundedSale();
    const mend = await refuseWrites({ on: 'change', to: 'credit_refund', says: 'the disk is full' });
    try {
      expect((await refund(asked(orderId), 'a-full-disk')).status).toBe(500);
    } finally {
      await mend();
    }
    expect([await walletOf(customerId), await refundsOf(orderId)]).toEqual([0, []]);
    expect((await refund(asked(orderId), 'a-full-disk')).body).toMatchObject({ success: true, remaining_balance: 10 });
    expect(await walletOf(customerId)).toBe(10);
  });
});
