import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '../../../../db/orm.ts';
import { Product } from '../../../../db/platform/catalog/product.entity.ts';
import { saveProduct } from '../../../../db/platform/catalog/save-product.ts';
import { StoreView } from '../../../../db/platform/stores/store-view.entity.ts';
import { Website } from '../../../../db/platform/stores/website.entity.ts';
import { booksOf } from '../../../support/books.ts';
import { rulePrices } from '../../../support/books/rule-prices.ts';
import { aCatalogRule, reindex } from '../../../support/builders/catalog-rule.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { testDatabaseUrl } from '../../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await createOrm(await testDatabaseUrl());
  const em = fork();
  await aShop(em);
  em.create(Website, { websiteId: 2, code: 'b2b', name: 'Trade', baseCurrencyCode: 'USD' });
  em.create(StoreView, { storeId: 3, websiteId: 2, code: 'trade', name: 'Trade', currencyCode: 'USD' });
  em.assign(await em.findOneOrFail(Product, { sku: 'MUG' }), { websiteIds: [1, 2] });
  await em.flush();
});
afterAll(() => orm.close());

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
