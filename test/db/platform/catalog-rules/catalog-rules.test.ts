import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { catalogRules } from '../../../../db/platform/catalog-rules/catalog-rules.ts';
import { Product } from '../../../../db/platform/catalog/product.entity.ts';
import { saveProduct } from '../../../../db/platform/catalog/configurable-products.ts';
import { StoreView, Website } from '../../../../db/platform/stores/store.entity.ts';
import { money } from '../../../../domain/money.ts';
import { booksOf } from '../../../support/books.ts';
import { rulePrices } from '../../../support/books/rule-prices.ts';
import { aCatalogRule, everyProductIsDue, reindex } from '../../../support/builders/catalog-rule.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aSecondWebsite } from '../../../support/builders/wallet.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

describe('reindex due', () => {
  const orm = useDatabase();
  let otherWebsite: number;
  beforeAll(async () => {
    await aShop(fork());
    otherWebsite = await aSecondWebsite(fork());
  });
  beforeEach(async () => {
    await remove('catalog_rule');
    await change('product', { sku: 'MUG' }, { price: 50 });
  });

  const books = booksOf(() => orm);
  const { fork, find, change, remove } = books;

  const now = new Date('2026-11-23T12:00:00Z');
  const today = '2026-11-23';

  /** The price of a day for a group, by SKU. */
  async function pricesOn(date = today, groupId = 1): Promise<Record<string, number>> {
    const found = await rulePrices(books, { rule_date: date, customer_group_id: groupId, website_id: 1 });
    return Object.fromEntries(
      found.map(({ sku, price }) => [sku, price] as const).toSorted(([a], [b]) => a.localeCompare(b)),
    );
  }

  const indexedAt = async () => {
    const [index] = await find('catalog_rule_index', { website_id: 1 }, 'indexed_at');
    return new Date(index?.indexed_at ?? 0).getTime();
  };

  const changePrice = async (sku: string, price: string) => {
    const em = fork();
    em.assign(await em.findOneOrFail(Product, { sku }), { price: money(price) });
    await em.flush();
  };

  test.each([
    ['by_percent', '15', { MUG: 42.5, PLATE: 28.33, GIFTWRAP: 4.25 }],
    ['by_fixed', '7.77', { MUG: 42.23, PLATE: 25.56, GIFTWRAP: 0 }],
    ['to_percent', '33.3333', { MUG: 16.67, PLATE: 11.11, GIFTWRAP: 1.67 }],
    ['to_fixed', '20', { MUG: 20, PLATE: 20, GIFTWRAP: 5 }],
  ] as const)('a rule %s of %s makes the prices of the platform', async (simpleAction, discount, expected) => {
    await aCatalogRule(orm, { simpleAction, discountAmount: money(discount) });
    await reindex(orm, now);
    expect(await pricesOn()).toEqual(expected);
  });

  test('rules apply in their order, each rounded, until one ends the chain', async () => {
    await aCatalogRule(orm, { sortOrder: 2, simpleAction: 'by_fixed', discountAmount: money('1') });
    await aCatalogRule(orm, { sortOrder: 1, discountAmount: money('33.3333') });
    await aCatalogRule(orm, { sortOrder: 3, discountAmount: money('50'), stopRulesProcessing: true });
    await aCatalogRule(orm, { sortOrder: 4, simpleAction: 'to_fixed', discountAmount: money('0.01') });
    await reindex(orm, now);
    // 50 → 33.33 → 32.33 → 16.17; a chain that rounded at its end would say 16.17 of 32.3334, and 33.33 → 22.22 →
    // 10.61.
    expect(await pricesOn()).toEqual({ MUG: 16.17, PLATE: 10.61, GIFTWRAP: 1.17 });
  });

  test.each([
    [{ attribute: 'sku', operator: 'is_one_of', values: ['MUG', 'PLATE'] }, ['MUG', 'PLATE']],
    [{ attribute: 'sku', operator: 'is_one_of', values: ['mug', 'Plate'] }, ['MUG', 'PLATE']],
    [{ attribute: 'sku', operator: 'is_not_one_of', values: ['MUG'] }, ['GIFTWRAP', 'PLATE']],
    [{ attribute: 'category_ids', operator: 'is_one_of', values: ['7', '8'] }, ['MUG']],
    [{ attribute: 'color', operator: 'is_one_of', values: ['red'] }, ['PLATE']],
    [{ attribute: 'tags', operator: 'is_one_of', values: ['gift'] }, ['GIFTWRAP']],
    [{ attribute: 'color', operator: 'is_not_one_of', values: ['red'] }, ['GIFTWRAP', 'MUG']],
    [{ attribute: 'name', operator: 'contains', values: ['WRAP'] }, ['GIFTWRAP']],
    [{ attribute: 'price', operator: 'at_least', values: ['33.33'] }, ['MUG', 'PLATE']],
    [{ attribute: 'price', operator: 'at_most', values: ['33.33'] }, ['GIFTWRAP', 'PLATE']],
    [{ attribute: 'weight_class', operator: 'at_least', values: ['2'] }, ['MUG']],
    [{ attribute: 'nobody', operator: 'at_most', values: ['2'] }, []],
  ] as const)('a rule on %j holds for %j', async (condition, skus) => {
    const em = fork();
    em.assign(await em.findOneOrFail(Product, { sku: 'MUG' }), {
      categoryIds: ['3', '7'],
      customAttributes: { weight_class: '3' },
    });
    em.assign(await em.findOneOrFail(Product, { sku: 'PLATE' }), {
      customAttributes: { color: 'red', weight_class: 'x' },
    });
    em.assign(await em.findOneOrFail(Product, { sku: 'GIFTWRAP' }), { customAttributes: { tags: ['gift', 'new'] } });
    await em.flush();
    await aCatalogRule(orm, { conditions: [condition] });
    await reindex(orm, now);
    expect(Object.keys(await pricesOn()).toSorted()).toEqual(skus);
  });

  test('all conditions must fit, or any of them', async () => {
    const conditions = [
      { attribute: 'sku', operator: 'is_one_of', values: ['MUG', 'PLATE'] },
      { attribute: 'price', operator: 'at_most', values: ['40'] },
    ] as const;
    const ruleId = await aCatalogRule(orm, { conditions });
    await reindex(orm, now);
    expect(Object.keys(await pricesOn())).toEqual(['PLATE']);

    await catalogRules.save(fork(), { id: ruleId, draft: { aggregator: 'any' } });
    await reindex(orm, now);
    expect(Object.keys(await pricesOn())).toEqual(['GIFTWRAP', 'MUG', 'PLATE']);
  });

  test('a rule holds for its groups, its websites and its days alone', async () => {
    await aCatalogRule(orm, { customerGroupIds: [2], fromDate: today, toDate: today });
    await aCatalogRule(orm, { websiteIds: [otherWebsite] });
    await reindex(orm, now);
    expect(await pricesOn(today, 2)).toEqual({ MUG: 45, PLATE: 30, GIFTWRAP: 4.5 });
    expect(await pricesOn(today, 1)).toEqual({});
    expect(await pricesOn('2026-11-22', 2)).toEqual({});
    expect(await pricesOn('2026-11-24', 2)).toEqual({});
  });

  test('rows stand around the day of the website, which begins at its own midnight', async () => {
    await change('website', { website_id: 1 }, { time_zone: 'Australia/Sydney' });
    await aCatalogRule(orm);
    await reindex(orm, new Date('2026-11-23T13:30:00Z'));
    const days = await find('catalog_rule_price', { website_id: 1 }, 'rule_date');
    await change('website', { website_id: 1 }, { time_zone: 'UTC' });
    const around = ['2026-11-23', '2026-11-24', '2026-11-25'];
    expect(new Set(days.map(({ rule_date: day }) => day))).toEqual(new Set(around));
  });

  test('what changes is worked out again, and nothing else is written', async () => {
    await aCatalogRule(orm);
    await reindex(orm, now);
    const before = await indexedAt();
    expect(await reindex(orm, now)).toEqual({ products: 0, changed: 0 });
    expect(await indexedAt()).toBe(before);

    await changePrice('MUG', '60');
    // Four groups, three days.
    expect(await reindex(orm, now)).toEqual({ products: 1, changed: 12 });
    expect(await pricesOn()).toMatchObject({ MUG: 54, PLATE: 30 });
    expect(await indexedAt()).toBeGreaterThan(before);
  });

  test('a run that changes no price leaves indexed_at where it is', async () => {
    await aCatalogRule(orm);
    await reindex(orm, now);
    const before = await indexedAt();
    await aCatalogRule(orm, { discountAmount: money('0'), sortOrder: 9 });
    expect(await reindex(orm, now)).toEqual({ products: 3, changed: 0 });
    expect(await indexedAt()).toBe(before);
  });

  test('prices go with the last rule, and with the product', async () => {
    const ruleId = await aCatalogRule(orm);
    const em = fork();
    em.create(Product, { attributeSetId: 4, sku: 'GONE', name: 'Gone', price: money('10'), websiteIds: [1] });
    await em.flush();
    await reindex(orm, now);
    expect(await pricesOn()).toMatchObject({ GONE: 9 });

    const before = await indexedAt();
    await remove('product', { sku: 'GONE' });
    expect(await reindex(orm, now)).toMatchObject({ changed: 12 });
    expect(await indexedAt()).toBeGreaterThan(before);

    await catalogRules.remove(fork(), ruleId);
    await reindex(orm, now);
    expect(await find('catalog_rule_price')).toEqual([]);
  });

  test('eight runs at once, in batches of one, come to the same as one', async () => {
    await aCatalogRule(orm);
    const runs = await eightAtOnce(() => reindex(orm, now, 1));
    expect(runs.reduce((sum, { products }) => sum + products, 0)).toBe(3);
    expect(await pricesOn()).toEqual({ MUG: 45, PLATE: 30, GIFTWRAP: 4.5 });
  });

  test('a product that changes while its price is worked out is worked out again', async () => {
    await aCatalogRule(orm);
    await reindex(orm, now);
    const em = fork();
    await em.transactional(async (tx) => {
      await tx.nativeUpdate(Product, { sku: 'MUG' }, { price: money('70') });
      await everyProductIsDue(books);
      await reindex(orm, now);
      expect(await pricesOn()).toMatchObject({ MUG: 45 });
    });
    await reindex(orm, now);
    expect(await pricesOn()).toMatchObject({ MUG: 63 });
  });
});

describe('values of a website', () => {
  const orm = useDatabase();
  beforeAll(async () => {
    const em = fork();
    await aShop(em);
    em.create(Website, { websiteId: 2, code: 'b2b', name: 'Trade', baseCurrencyCode: 'USD' });
    em.create(StoreView, { storeId: 3, websiteId: 2, code: 'trade', name: 'Trade', currencyCode: 'USD' });
    em.assign(await em.findOneOrFail(Product, { sku: 'MUG' }), { websiteIds: [1, 2] });
    await em.flush();
  });

  const books = booksOf(() => orm);
  const { fork } = books;

  const now = new Date('2026-11-23T12:00:00Z');
  const base = { storeId: 1, websiteId: 1 };
  const trade = { storeId: 3, websiteId: 2 };
  const everywhere = { storeId: 0, websiteId: 0 };
  const save = (place: { storeId: number; websiteId: number }, cost: string | null) =>
    saveProduct(fork(), { sku: 'MUG', draft: { customAttributes: { cost } }, place });

  /** Websites that the rule makes a price of the mug for. */
  async function sites(): Promise<number[]> {
    await reindex(orm, now);
    const mugs = (await rulePrices(books)).filter(({ sku }) => sku === 'MUG');
    return [...new Set(mugs.map(({ websiteId }) => websiteId))].toSorted((one, other) => one - other);
  }

  test('a rule on a value of a website holds where the value is, and follows it', async () => {
    await aCatalogRule(orm, { conditions: [{ attribute: 'cost', operator: 'at_least', values: ['20'] }] });
    expect(await sites()).toEqual([]);
    await save(base, '25');
    expect(await sites()).toEqual([1]);
    await save(trade, '30');
    expect(await sites()).toEqual([1, 2]);
    await save(base, '5');
    expect(await sites()).toEqual([2]);
    await save(everywhere, '40');
    await save(trade, '3');
    expect(await sites()).toEqual([]);
    await save(base, null);
    expect(await sites()).toEqual([1]);
    await save(trade, null);
    expect(await sites()).toEqual([1, 2]);
  });
});
