import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { loadPrices, type LoadPricesOptions } from '../../cli/load-prices.ts';
import { Customer } from '../../db/platform/customers/customer.entity.ts';
import { aShop } from '../support/builders/shop.ts';
import { aCustomer, aSecondWebsite } from '../support/builders/wallet.ts';
import { booksOf } from '../support/books.ts';
import { testDatabase } from '../support/database.ts';
import { eightAtOnce } from '../support/rivals.ts';
import { commandContextOf } from './support.ts';

let orm: MikroORM;
let folder: string;
let customer: number;
let email: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prices-'));
  orm = await testDatabase();
  await aShop(fork());
  await aSecondWebsite(fork());
  customer = await aCustomer(fork());
  ({ email } = await fork().findOneOrFail(Customer, { id: customer }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await orm.close();
});

const { fork, find, howMany } = booksOf(() => orm);
const load = (text: string, options: LoadPricesOptions = {}) => {
  const file = join(folder, 'contracts.csv');
  writeFileSync(file, text);
  return loadPrices(commandContextOf(orm), file, options);
};
const stored = async (websiteId = 1) =>
  (await find('pos_contract_price', { website_id: websiteId }, 'sku', 'qty', 'price'))
    .toSorted((a, b) => a.sku.localeCompare(b.sku) || a.qty - b.qty)
    .map(({ sku, qty, price }) => `${sku} ${Number(qty)} ${Number(price)}`);
const auditLines = () => howMany('pos_audit_log', { entity_type: 'contract_prices' });

test('a list is loaded by id or e-mail, with tiers, and says what the catalog does not have yet', async () => {
  const { text, json } = await load(
    `\uFEFFSKU,Customer,Qty,Price\nMUG,${customer},1,45\nMUG,${email.toUpperCase()},12, 39.50\n"NEW,ONE",${customer},,7\n\n`,
  );
  expect(text).toBe('3 lines: 3 prices saved, 0 removed, in USD for website base. Not in the catalog yet: NEW,ONE.');
  expect(json).toMatchObject({ lines: 3, saved: 3, removed: 0, website_id: 1, unknown_skus: ['NEW,ONE'] });
  expect(await stored()).toEqual(['MUG 1 45', 'MUG 12 39.5', 'NEW,ONE 1 7']);
  expect(await auditLines()).toBe(1);
});

test('the same list again, and eight times at once, changes nothing', async () => {
  const list = `customer,sku,qty,price\n${customer},MUG,1,45\n${customer},MUG,12,39.5\n`;
  const before = await auditLines();
  const answers = await eightAtOnce(() => load(list));
  for (const { json } of answers) expect(json).toMatchObject({ saved: 0, removed: 0 });
  expect(await stored()).toEqual(['MUG 1 45', 'MUG 12 39.5', 'NEW,ONE 1 7']);
  expect(await auditLines()).toBe(before);
});

test('another price replaces, a line without one ends the step, and --replace ends what is not in the list', async () => {
  expect((await load(`customer,sku,qty,price\n${customer},MUG,1,44\n${customer},MUG,12,\n`)).json).toMatchObject({
    saved: 1,
    removed: 1,
  });
  expect(await stored()).toEqual(['MUG 1 44', 'NEW,ONE 1 7']);
  const list = `customer,sku,qty,price\n${customer},PLATE,1,30\n`;
  expect((await load(list, { replace: true })).json).toMatchObject({ saved: 1, removed: 2 });
  expect(await stored()).toEqual(['PLATE 1 30']);
});

test('a SKU in other letters is the same step: it is changed, ended and told twice as such', async () => {
  await load(`customer,sku,qty,price\n${customer},MUG,1,45\n`, { replace: true });
  expect((await load(`customer,sku,qty,price\n${customer},mug,1,44\n`)).json).toMatchObject({
    ...{ saved: 1, removed: 0, unknown_skus: [] },
  });
  expect(await stored()).toEqual(['MUG 1 44']);
  expect((await load(`customer,sku,qty,price\n${customer},Mug,1,\n`)).json).toMatchObject({ saved: 0, removed: 1 });
  const twice = `customer,sku,qty,price\n${customer},MUG,1,1\n${customer},mug,1,2\n`;
  await expect(load(twice)).rejects.toMatchObject({ status: 400 });
  await load(`customer,sku,qty,price\n${customer},PLATE,1,30\n`, { replace: true });
});

test('a website has contracts of its own', async () => {
  await load(`customer,sku,qty,price\n${customer},MUG,1,40\n`, { website: 'eu', replace: true });
  expect(await stored(2)).toEqual(['MUG 1 40']);
  expect(await stored()).toEqual(['PLATE 1 30']);
});

test.each<[string, string, number, LoadPricesOptions?]>([
  ['an unknown customer', 'customer,sku,qty,price\nnobody@example.com,MUG,1,1\n', 400],
  ['an id nobody has', 'customer,sku,qty,price\n999999999,MUG,1,1\n', 400],
  ['a step that is there twice', 'customer,sku,qty,price\n1,MUG,1,1\n1,MUG,1.0,2\n', 400],
  ['an invalid price', 'customer,sku,qty,price\n1,MUG,1,cheap\n', 400],
  ['a price below zero', 'customer,sku,qty,price\n1,MUG,1,-1\n', 400],
  ['a quantity of nothing', 'customer,sku,qty,price\n1,MUG,0,1\n', 400],
  ['a quantity that no column holds', 'customer,sku,qty,price\n1,MUG,10000000000,1\n', 400],
  ['a backslash before a quote', 'customer,sku,qty,price\n"1\\"",MUG,1,1\n', 400],
  ['a column that is there twice', 'customer,sku,sku,qty,price\n1,MUG,MUG,1,1\n', 400],
  ['an empty file', '', 400],
  ['no SKU', 'customer,sku,qty,price\n1,,1,1\n', 400],
  ['no column of prices', 'customer,sku,qty\n1,MUG,1\n', 400],
  ['lines of another length', 'customer,sku,qty,price\n1,MUG\n', 400],
  ['another website than there is', 'customer,sku,qty,price\n1,MUG,1,1\n', 404, { website: 'mars' }],
  // Rows of three and a function of four: Jest would wait for a callback.
])('%s: nothing is loaded', async (...[, text, status, options = {}]) => {
  const before = await stored();
  const good = `${customer},GIFTWRAP,1,1\n`;
  await expect(load(text.replace('1,MUG', `${customer},MUG`) + good, options)).rejects.toMatchObject({ status });
  expect(await stored()).toEqual(before);
});

test('a file that is not there is said so', async () => {
  await expect(loadPrices(commandContextOf(orm), join(folder, 'gone.csv'), {})).rejects.toMatchObject({ status: 400 });
});
