import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteStatements } from '../../../bench/support/note-statements.ts';
import { Product, type TierPrice } from '../../../db/platform/catalog/product.entity.ts';
import { Customer } from '../../../db/platform/customers/customer.entity.ts';
import { StoreView } from '../../../db/platform/stores/store-view.entity.ts';
import { Website } from '../../../db/platform/stores/website.entity.ts';
import { ContractPrice } from '../../../db/prices/contract-price.entity.ts';
import { money } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import type { PriceResolver } from '../../../providers/prices/price-resolver.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';

const everyGroup = 32_000;
const wholesale = 2;
const tier = (qty: number, price: string, more: Partial<TierPrice> = {}): TierPrice => ({
  customerGroupId: wholesale,
  websiteId: 0,
  qty: pieces(qty),
  value: money(price),
  ...more,
});

/** A module with companies, as this test's vendor has it. */
let company: PriceResolver['resolve'] = async () => new Map();
let api: TestApi;
let buyer: number;
let stranger: number;
/** Every statement sent since the connections were made. */
const noted: string[] = [];
const stopNoting = noteStatements(({ text }) => noted.push(text));
beforeAll(async () => {
  api = await testApi();
  const [group, ...rest] = api.providers.prices;
  Object.assign(api.providers, {
    prices: [group, { code: 'company', resolve: (question: never) => company(question) }, ...rest],
  });
  const em = api.orm.em.fork();
  await aShop(em);
  em.create(Website, { websiteId: 2, code: 'eu', name: 'Europe', baseCurrencyCode: 'EUR' });
  em.create(StoreView, { storeId: 3, websiteId: 2, code: 'eu_de', name: 'Deutsch', currencyCode: 'EUR' });
  const product = (sku: string, tierPrices: TierPrice[], websiteIds = [1]) =>
    em.create(Product, { attributeSetId: 4, sku, name: sku, price: money('50'), websiteIds, tierPrices });
  product('GROUP', [tier(1, '45'), tier(10, '40'), tier(20, '42')]);
  product('PERCENT', [tier(1, '0', { percentageValue: 10 * 10_000 })]);
  product('MORE', [tier(5, '44')]);
  product('DEARER', [tier(1, '55')]);
  product('EVERYBODY', [tier(1, '30', { customerGroupId: everyGroup }), tier(1, '31', { customerGroupId: 1 })]);
  product('ELSEWHERE', [tier(1, '12', { websiteId: 2 })], [1, 2]);
  product('BOTH', [tier(1, '45')]);
  product('CONTRACT', []);
  product('ONLY-EU', [tier(1, '20')], [2]);
  const customer = (email: string, groupId: number) =>
    em.create(Customer, {
      email,
      firstname: 'Ann',
      lastname: 'Lee',
      websiteId: 1,
      storeId: 1,
      groupId,
      customAttributes: {},
      defaultBilling: null,
      defaultShipping: null,
    });
  const [ann, ben] = [customer('ann@example.com', wholesale), customer('ben@example.com', wholesale)];
  await em.flush();
  [buyer, stranger] = [ann.id, ben.id];
  const contract = (sku: string, qty: number, price: string, websiteId = 1) =>
    em.create(ContractPrice, { customerId: buyer, websiteId, sku, qty: pieces(qty), price: money(price) });
  contract('BOTH', 1, '1');
  contract('Contract', 1, '60');
  contract('CONTRACT', 12, '39.5');
  contract('PLATE', 6, '30');
  contract('MUG', 1, '9', 2);
  await em.flush();
});
afterAll(async () => {
  stopNoting();
  await api.close();
});

const ask = (request: unknown) =>
  api.call('POST', '/V1/pos/customer-prices', { token: api.tokens.register, body: { request } });
const pricesOf = async (skus: string[], more: object = {}) => {
  const { status, body } = await ask({ customerId: buyer, websiteId: 1, skus, ...more });
  expect(status).toBe(200);
  return body.prices;
};

test('what the customer’s group pays, with what more pieces cost', async () => {
  expect(await pricesOf(['GROUP', 'PERCENT', 'MORE'])).toEqual([
    // Twenty are never dearer each than ten: a cart takes the least.
    {
      sku: 'GROUP',
      base_price: 50,
      customer_price: 45,
      currency: 'USD',
      source: 'customer_group',
      tiers: [{ qty: 10, price: 40 }],
    },
    { sku: 'PERCENT', base_price: 50, customer_price: 45, currency: 'USD', source: 'customer_group' },
    {
      sku: 'MORE',
      base_price: 50,
      customer_price: 50,
      currency: 'USD',
      source: 'customer_group',
      tiers: [{ qty: 5, price: 44 }],
    },
  ]);
});

test('a SKU is asked in any letters, also twice, and answered as it is stored', async () => {
  const prices = await pricesOf(['group', 'GROUP', 'Contract', 'both']);
  expect(prices.map(({ sku, customer_price: price }: { sku: string; customer_price: number }) => [sku, price])).toEqual(
    [
      ['GROUP', 45],
      ['CONTRACT', 60],
      ['BOTH', 45],
    ],
  );
});

test('the price for all, or of another group, website or customer, is absent', async () => {
  expect(await pricesOf(['DEARER', 'EVERYBODY', 'ELSEWHERE', 'ONLY-EU', 'MUG', 'NO-SUCH-SKU', ''])).toEqual([]);
});

test('a contract price applies even above the catalog’s, and from a quantity on', async () => {
  expect(await pricesOf(['PLATE', 'CONTRACT', 'PLATE'])).toEqual([
    {
      sku: 'PLATE',
      base_price: 33.33,
      customer_price: 33.33,
      currency: 'USD',
      source: 'contract',
      tiers: [{ qty: 6, price: 30 }],
    },
    {
      sku: 'CONTRACT',
      base_price: 50,
      customer_price: 60,
      currency: 'USD',
      source: 'contract',
      tiers: [{ qty: 12, price: 39.5 }],
    },
  ]);
  expect(await pricesOf(['CONTRACT'], { customerId: stranger })).toEqual([]);
});

test('the first resolver that knows a SKU has the word, not the cheapest', async () => {
  expect(await pricesOf(['BOTH'])).toMatchObject([{ customer_price: 45, source: 'customer_group' }]);
});

describe('a resolver in between', () => {
  test('is asked only for open SKUs, and wins over those after it', async () => {
    const asked: string[][] = [];
    company = async ({ products }) => {
      asked.push(products.map(({ sku }) => sku));
      return new Map([
        ['CONTRACT', { price: money('48'), tiers: [] }],
        ['GROUP', { price: money('1'), tiers: [] }],
      ]);
    };
    expect(await pricesOf(['GROUP', 'CONTRACT', 'PLATE'])).toMatchObject([
      { sku: 'GROUP', source: 'customer_group' },
      { sku: 'CONTRACT', customer_price: 48, source: 'company' },
      { sku: 'PLATE', source: 'contract' },
    ]);
    expect(asked).toEqual([['CONTRACT', 'PLATE']]);
    await pricesOf(['GROUP']);
    expect(asked).toHaveLength(1);
    company = async () => new Map();
  });

  test('that cannot be asked said no "no": the call is 503, unless every price was known', async () => {
    company = () => Promise.reject(new Error('away'));
    const { status, body } = await ask({ customerId: buyer, websiteId: 1, skus: ['GROUP', 'CONTRACT'] });
    expect([status, body.message]).toEqual([
      503,
      'The prices of this customer cannot be told now. Try again in a moment.',
    ]);
    expect(await pricesOf(['GROUP'])).toHaveLength(1);
    company = async () => new Map();
  });

  test.each<[string, unknown]>([
    ['no list of prices', undefined],
    ['a price below nothing', new Map([['CONTRACT', { price: -1, tiers: [] }]])],
    ['a price that is no number', new Map([['CONTRACT', { price: Number.NaN, tiers: [] }]])],
    ['a price without tiers', new Map([['CONTRACT', { price: money('48') }]])],
    ['a tier of no pieces', new Map([['CONTRACT', { price: money('48'), tiers: [{ qty: 0, price: money('4') }] }]])],
  ])('that answers %s did not know, and the register does not see the text', async (_, answer) => {
    company = async () => answer as Awaited<ReturnType<typeof company>>;
    expect((await ask({ customerId: buyer, websiteId: 1, skus: ['CONTRACT'] })).status).toBe(503);
    company = async () => new Map();
  });
});

describe('the website', () => {
  test('0, or none, is the customer’s own', async () => {
    expect(await pricesOf(['GROUP'], { websiteId: 0 })).toHaveLength(1);
    const { body } = await ask({ customerId: buyer, skus: ['GROUP'] });
    expect(body.prices).toMatchObject([{ currency: 'USD' }]);
  });

  test('another one has its own products, prices and currency', async () => {
    expect(await pricesOf(['ONLY-EU', 'ELSEWHERE', 'GROUP'], { websiteId: 2 })).toMatchObject([
      { sku: 'ONLY-EU', currency: 'EUR', customer_price: 20 },
      { sku: 'ELSEWHERE', currency: 'EUR', customer_price: 12 },
    ]);
  });

  test('or an unknown customer has no prices', async () => {
    expect(await pricesOf(['GROUP'], { websiteId: 99 })).toEqual([]);
    expect(await pricesOf(['GROUP'], { customerId: 999_999 })).toEqual([]);
  });
});

describe('the store view', () => {
  test('may be named by id or code, and changes nothing', async () => {
    for (const storeView of ['default', 1, '1', 'ca']) expect(await pricesOf(['GROUP'], { storeView })).toHaveLength(1);
  });

  test.each([null, 'nowhere', '', 'eu_de', 0])('%j is refused by its name', async (storeView) => {
    const { status, body } = await ask({ customerId: buyer, websiteId: 1, skus: ['GROUP'], storeView });
    expect([status, body.parameters.fieldName]).toEqual([400, 'storeView']);
  });
});

test('a missing argument is refused, and an empty list has no prices', async () => {
  expect((await ask({ customerId: buyer, websiteId: 1 })).body.parameters).toEqual({ fieldName: 'skus' });
  expect((await ask({ skus: ['GROUP'], websiteId: 1 })).body.parameters).toEqual({ fieldName: 'customerId' });
  expect(await pricesOf([])).toEqual([]);
});

test('any number of SKUs is asked for in four statements at most', async () => {
  const statementsFor = async (skus: string[]) => {
    const before = noted.length;
    await pricesOf(skus);
    return noted.slice(before).filter((text) => /product|customer|contract/.test(text));
  };
  const few = await statementsFor(['GROUP', 'CONTRACT']);
  const many = await statementsFor(['GROUP', 'CONTRACT', ...Array.from({ length: 20_000 }, (_, n) => `SKU-${n}`)]);
  expect(few.length).toBeGreaterThan(0);
  expect(few.length).toBeLessThanOrEqual(4);
  expect(many.length).toBe(few.length);
});
