import { afterAll, beforeAll, expect, test } from 'vitest';
import { money } from '../../../domain/money/amount.ts';
import { startCreditSimulator, type CreditSimulator } from '../../../local/credit-simulator/server.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import type { CreditBalance } from '../../../providers/credits/credit-provider.ts';
import { creditsOf } from '../../../providers/credits/credits.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { givePoints, pointsOn } from '../../support/builders/points.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry, aSecondWebsite } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';

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
