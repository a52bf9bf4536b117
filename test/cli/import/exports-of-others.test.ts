import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { importCsv } from '../../../cli/import-csv.ts';
import type { ImportOptions } from '../../../cli/import/import-kind.ts';
import { createProductAttribute } from '../../../db/platform/catalog/save-product-attribute.ts';
import { createCategory } from '../../../db/platform/categories/save-category.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { fileWith, lanterns } from '../shop/a-shop-file.ts';
import { commandContextOf } from '../support.ts';

let orm: MikroORM;
const folder = mkdtempSync(join(tmpdir(), 'pos-exports-'));
let lamps: string;
beforeAll(async () => {
  orm = await testDatabase();
  await applyShopFile(commandContextOf(orm), fileWith(lanterns()), {});
  lamps = String(await createCategory(fork(), { parentId: 2, wish: { name: 'Lamps' } }));
  await insert('tax_class', { class_name: 'Reduced rate', class_type: 'PRODUCT' });
  const own = { settings: {} };
  for (const code of ['barcode', 'slogan'])
    await createProductAttribute(fork(), { ...own, attributeCode: code, label: code, frontendInput: 'text' });
  for (const [code, input, labels] of [
    ['fabric', 'select', ['Linen', 'Wool']],
    ['colours', 'multiselect', ['Red', 'Blue']],
    ['washable', 'boolean', []],
  ] as const) {
    const options = labels.map((label) => ({ label }));
    await createProductAttribute(fork(), { ...own, attributeCode: code, label: code, frontendInput: input, options });
  }
});
afterAll(() => orm.close());

const { fork, find, findOne, insert } = booksOf(() => orm);

/** As it came: the import writes beside it. */
function exported(name: string): string {
  const file = join(folder, name);
  copyFileSync(new URL(`exports/${name}`, import.meta.url), file);
  return file;
}
const take = (what: string, name: string, options: ImportOptions) =>
  importCsv(commandContextOf(orm), what, exported(name), () => undefined, options);
const refusals = (name: string) =>
  readFileSync(join(folder, `${name}.refused.csv`), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.slice(0, 100));
const left = ({ json }: Awaited<ReturnType<typeof take>>) =>
  (json as { left_out: { what: string; rows: number; first_row: number }[] }).left_out;
const product = (sku: string) => findOne('product', { sku });
const optionId = async (label: string) =>
  String((await findOne('product_attribute_option', { label }, 'option_id'))['option_id']);

test('goods of the platform come in as its export has them, with what was left out', async () => {
  const options = { from: 'platform', source: 'high_street' } as const;
  const answer = await take('products', 'platform-products.csv', options);
  expect(answer.json).toMatchObject({ rows: 4, saved: 3, refused: 0 });
  const joust = await product('24-MB01');
  expect(joust).toMatchObject({
    ...{ name: 'Duffle "Joust"', price: '34.0000', weight: '1.5000', status: 1, visibility: 4, tax_class_id: 2 },
    category_ids: [lamps],
  });
  expect(joust['custom_attributes']).toEqual({
    ...{ description: '<p>Grab it, \nand go.</p>', url_key: 'joust', meta_keyword: 'bag, sport' },
    ...{ special_price: '29.000000', special_from_date: '2026-11-01 00:00:00' },
    special_to_date: '2030-12-31 00:00:00',
    ...{ country_of_manufacture: 'DE', gift_message_available: '2', slogan: 'Light, strong, yours' },
    ...{ fabric: await optionId('Linen'), washable: '1' },
    colours: `${await optionId('Red')},${await optionId('Blue')}`,
  });
  expect(Object.values(joust['scoped_values'] as object)).toEqual([
    { name: 'Sac Joust', customAttributes: { description: '<p>Prenez-le.</p>' } },
    { customAttributes: { special_price: '28.000000' } },
  ]);
  expect(await product('24-MB02')).toMatchObject({
    ...{ name: 'Fusion, rare', status: 2, visibility: 1, tax_class_id: 0, manage_stock: false, backorders: 1 },
  });
  expect(await find('inventory_source_item', {}, 'sku', 'source_code', 'quantity')).toEqual([
    { sku: '24-MB01', source_code: 'high_street', quantity: '100.0000' },
    { sku: '24-MB02', source_code: 'high_street', quantity: '0.0000' },
  ]);
  expect(left(answer)).toEqual(
    expect.arrayContaining([
      { what: 'base_image: pictures are sent by POST /V1/products/:sku/media', rows: 1, first_row: 1 },
      { what: 'categories: the shop does not have all of them', rows: 1, first_row: 1 },
      {
        what: 'additional_attributes, activity: the shop has no such attribute; --new-attributes makes it',
        ...{ rows: 1, first_row: 1 },
      },
      { what: 'custom_options: options of a product are sent by POST /V1/products/options', rows: 1, first_row: 3 },
      {
        what: 'rows of configurable products: what they are made of is not imported, its parts are rows of their own',
        ...{ rows: 1, first_row: 4 },
      },
    ]),
  );
  expect((await take('products', 'platform-products.csv', options)).json).toEqual(answer.json);
  expect({ ...(await product('24-MB01')), updated_at: '' }).toEqual({ ...joust, updated_at: '' });
});

test('stock of the platform goes to its sources', async () => {
  expect((await take('stock', 'platform-stock.csv', { from: 'platform' })).json).toMatchObject({
    saved: 1,
    refused: 1,
  });
  expect(refusals('platform-stock.csv')).toEqual(['2,No source has the code attic.,attic,24-MB01,1,1']);
  expect(await findOne('inventory_source_item', { source_code: 'cellar' }, 'quantity')).toEqual({
    quantity: '12.5000',
  });
});

test('variants of Shopify are goods of their own, under the title of their product', async () => {
  const answer = await take('products', 'shopify-products.csv', { from: 'shopify', source: 'cellar' });
  expect(answer.text).toContain('6 rows: 3 saved, 1 refused, 2 left out.');
  expect(await product('HOOD-S')).toMatchObject({
    ...{ name: 'Logo Hoodie - S / Red', price: '50.0000', weight: '1.1023', status: 1, type_id: 'simple' },
    custom_attributes: {
      ...{ description: '<p>Warm,\nsoft</p>', meta_title: 'A warm hoodie', cost: '20.00', barcode: '2000000001326' },
    },
  });
  expect(await product('HOOD-M')).toMatchObject({ name: 'Logo Hoodie - M / Red', price: '54.0000' });
  expect(await product('REPAIR')).toMatchObject({
    ...{ name: 'Repair', status: 2, visibility: 1, type_id: 'virtual', tax_class_id: 0 },
  });
  expect(refusals('shopify-products.csv')).toEqual([expect.stringMatching(/^5,"The ""SKU"" attribute value is empty/)]);
  expect(await findOne('inventory_source_item', { sku: 'HOOD-S' }, 'quantity')).toEqual({ quantity: '7.0000' });
  expect(left(answer).map(({ what, rows }) => [what, rows])).toEqual(
    expect.arrayContaining([
      ['rows with a picture only', 1],
      ['gift cards: pos giftcard create issues them', 1],
      ['variant compare at price: the price is the one it is sold at', 1],
      ['vendor: the column has no meaning here', 1],
    ]),
  );
});

test('goods of WooCommerce come in with their sale and their taxes; parents of variations are left out', async () => {
  const answer = await take('products', 'woocommerce-products.csv', { from: 'woocommerce' });
  expect(answer.json).toMatchObject({ rows: 6, saved: 3, refused: 1 });
  expect(await product('woo-beanie')).toMatchObject({
    ...{ name: 'Beanie, blue', price: '20.0000', weight: '0.4409', tax_class_id: 2, category_ids: [lamps] },
    custom_attributes: {
      ...{ short_description: 'A beanie.', description: 'Warm\nand blue', barcode: '4006381333931' },
      ...{ special_price: '18', special_from_date: '2026-11-01 00:00:00', special_to_date: '2030-12-31 23:59:59' },
    },
  });
  const reduced = await findOne('tax_class', { class_name: 'Reduced rate' }, 'class_id');
  expect(await product('woo-vneck-red')).toMatchObject({ price: '21.5000', tax_class_id: reduced['class_id'] });
  expect(await product('woo-album')).toMatchObject({
    ...{ status: 2, visibility: 1, type_id: 'virtual', tax_class_id: 0 },
  });
  expect(refusals('woocommerce-products.csv')).toEqual([
    expect.stringContaining('6,No tax class of goods is called zero zone.'),
  ]);
  expect(left(answer).map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'rows of variable products: only what is sold by itself is imported',
      'rows of external products: only what is sold by itself is imported',
      'qty: say where the goods lie (--source), or use import stock',
      'images: pictures are sent by POST /V1/products/:sku/media',
    ]),
  );
});

test('items of Square come in by variation; a variable price is refused', async () => {
  const answer = await take('products', 'square-items.csv', { from: 'square', source: 'high_street' });
  expect(answer.json).toMatchObject({ rows: 3, saved: 2, refused: 1 });
  expect(await product('CANDLE')).toMatchObject({
    ...{ name: 'Candle', price: '12.0000', weight: '0.7500', tax_class_id: 2, status: 1 },
    custom_attributes: { description: 'Soy wax', barcode: '2000000001340', cost: '4.50' },
  });
  expect(await product('TEA-L')).toMatchObject({ name: 'Tea - Large', tax_class_id: 0, status: 2 });
  expect(refusals('square-items.csv')).toEqual([expect.stringContaining('3,"price cannot be ""variable""."')]);
  expect(await findOne('inventory_source_item', { sku: 'CANDLE' }, 'quantity')).toEqual({ quantity: '10.0000' });
});

test('an export of another system, or of another kind, is refused before anything is saved', async () => {
  await expect(take('products', 'square-items.csv', { from: 'shopify' })).rejects.toMatchObject({
    message: 'This is no export of %1: it has no column %2.',
  });
  await expect(take('stock', 'platform-stock.csv', { from: 'square' })).rejects.toMatchObject({ status: 400 });
  await expect(take('products', 'square-items.csv', { from: 'square', source: 'attic' })).rejects.toMatchObject({
    message: 'No source has the code %1.',
  });
});
