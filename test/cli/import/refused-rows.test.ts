import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { importCsv } from '../../../cli/import-csv.ts';
import { importFile } from '../../../cli/import/import-file.ts';
import type { ImportKind, ImportOptions } from '../../../cli/import/import-kind.ts';
import { makeAttributes } from '../../../db/platform/catalog/note-attributes.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { fileWith, lanterns } from '../shop/a-shop-file.ts';
import { commandContextOf } from '../support.ts';

let orm: MikroORM;
const folder = mkdtempSync(join(tmpdir(), 'pos-refused-'));
beforeAll(async () => {
  orm = await testDatabase();
  await applyShopFile(commandContextOf(orm), fileWith(lanterns()), {});
  await makeAttributes(fork(), ['barcode']);
});
afterAll(() => orm.close());

const { fork, find, findOne } = booksOf(() => orm);
let files = 0;
const csv = (...lines: string[]) => {
  const file = join(folder, `${++files}.csv`);
  writeFileSync(file, lines.join('\n'));
  return file;
};
const take = (what: string, file: string, options: ImportOptions = {}) =>
  importCsv(commandContextOf(orm), what, file, () => undefined, options);
const reasons = (file: string) =>
  readFileSync(`${file}.refused.csv`, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.replaceAll('""', '"').slice(0, 110));

test('lengths and ranges are those of the route: each row is told, and the others are saved', async () => {
  const goods = Array.from({ length: 20 }, (_, at) => `G${at},Good ${at},3,,,`);
  const file = csv(
    'sku,name,price,weight,visibility,type',
    ...goods.slice(0, 4),
    `LONG,${'N'.repeat(256)},3,,,`,
    `HEAVY,Heavy,3,${10 ** 10},,`,
    `DEAR,Dear,${'9'.repeat(16)},,,`,
    'SEEN,Seen,3,,7,',
    'KIND,Kind,3,,,hologram',
    `${'S'.repeat(65)},Sku,3,,,`,
    `${'S'.repeat(256)},Sku,3,,,`,
    'MINUS,Minus,-3,,,',
    ...goods.slice(4),
  );
  for (let run = 0; run < 2; run++)
    expect((await take('products', file)).json).toMatchObject({ saved: 20, refused: 8 });
  expect(reasons(file)).toEqual([
    expect.stringContaining('5,The name value must not be longer than 255 characters.'),
    expect.stringContaining('6,"weight cannot be "10000000000"."'),
    expect.stringContaining('7,"price cannot be "9999999999999999"."'),
    expect.stringContaining('8,"visibility cannot be "7"."'),
    expect.stringContaining('9,"type cannot be "hologram"."'),
    expect.stringContaining('10,SKU length should be 64 characters maximum.'),
    expect.stringContaining('11,The sku value must not be longer than 255 characters.'),
    expect.stringContaining('12,"Invalid value of "-3" provided for the price field."'),
  ]);
  expect((await find('product', {}, 'sku')).map(({ sku }) => sku)).toEqual(
    expect.arrayContaining(goods.map((line) => line.split(',')[0])),
  );
});

test('a quantity in stock that no column holds is told', async () => {
  await take('products', csv('sku,name,price', 'CUP,Cup,3'));
  const file = csv('sku,source,quantity,status', `CUP,cellar,${10 ** 10},`, 'CUP,cellar,1,7', 'CUP,cellar,5,');
  expect((await take('stock', file)).json).toMatchObject({ saved: 1, refused: 2 });
  expect(reasons(file)).toEqual([
    expect.stringContaining('1,"quantity cannot be "10000000000"."'),
    expect.stringContaining('2,"status cannot be "7"."'),
  ]);
});

test('days, numbers and choices that cannot be read are told by their column', async () => {
  const file = csv(
    'sku,name,price,special_price,special_from_date,special_to_date,country_of_manufacture,barcode',
    'D1,Day,10,2,31.12.2030,,,',
    'D2,Day,10,2,,12/31/2020,,',
    'D3,Day,10,2,2030-02-30,,,',
    'D4,Day,10,2,2030-12-31,,Germany,',
    'D5,Day,10,"2,50",,,,',
    'D6,Day,10,,,,Atlantis,',
    'D7,Day,10,,,,,1.23457E+12',
    '4.1E+11,Day,10,,,,,',
  );
  expect((await take('products', file)).json).toMatchObject({ saved: 1, refused: 7 });
  expect(reasons(file)).toEqual([
    expect.stringContaining('1,"special_from_date cannot be "31.12.2030". Write a day as 2030-12-31."'),
    expect.stringContaining('2,"special_to_date cannot be "12/31/2020". Write a day as 2030-12-31."'),
    expect.stringContaining('3,"special_from_date cannot be "2030-02-30".'),
    expect.stringContaining('5,"special_price cannot be "2,50"."'),
    expect.stringContaining('6,"country_of_manufacture cannot be "Atlantis"."'),
    expect.stringContaining('7,"barcode cannot be "1.23457E+12": a spreadsheet cut its digits off.'),
    expect.stringContaining('8,"sku cannot be "4.1E+11": a spreadsheet cut its digits off.'),
  ]);
  expect((await take('products', file, { dates: 'dmy' })).json).toMatchObject({ saved: 2 });
  expect((await findOne('product', { sku: 'D1' }, 'custom_attributes'))['custom_attributes']).toMatchObject({
    special_from_date: '2030-12-31 00:00:00',
  });
});

test('a row of a store view changes what may differ there, and tells what holds everywhere', async () => {
  const file = csv('sku,store_view_code,name,price', 'SV,,Strap,14', 'SV,ca,Sangle,15', 'SV,mars,Riem,', 'NEW,ca,Neu,');
  const answer = await take('products', file);
  expect(answer.json).toMatchObject({ saved: 2, refused: 2 });
  expect(answer.text).toContain('  price of a row of a store view: it holds in every view (row 2)');
  const { store_id: view } = await findOne('store_view', { code: 'ca' }, 'store_id');
  expect(await findOne('product', { sku: 'SV' })).toMatchObject({
    ...{ name: 'Strap', price: '14.0000', scoped_values: { [`s${String(view)}`]: { name: 'Sangle' } } },
  });
  expect(reasons(file)).toEqual([
    expect.stringContaining('3,No store view has the code mars.'),
    expect.stringContaining('4,"The Product with the "NEW" SKU doesn\'t exist."'),
  ]);
});

test('a column of no attribute saves nothing, until the operator wants the attribute', async () => {
  const file = csv('sku,name,price,pirce,additional_attributes', 'T1,Typo,3,2,', 'T2,Typo,3,,colour=red');
  await expect(take('products', file)).rejects.toMatchObject({ parameters: ['"pirce"'] });
  expect(await find('product', { name: 'Typo' })).toEqual([]);
  expect(await find('product_attribute', { attribute_code: 'pirce' })).toEqual([]);

  expect((await take('products', file, { newAttributes: true })).json).toMatchObject({ saved: 2, refused: 0 });
  expect(await find('product_attribute', {}, 'attribute_code', 'label')).toEqual(
    ['barcode', 'pirce', 'colour'].map((attribute_code) => ({ attribute_code, label: null })),
  );
  const parts = csv('sku,name,price,additional_attributes', 'T3,Typo,3,"shade=dark,pirce=2"', 'T4,Typo,3,nothing');
  expect((await take('products', parts)).json).toMatchObject({ saved: 0, refused: 2 });
  expect(reasons(parts)).toEqual([
    expect.stringContaining('1,"The shop has no attribute "shade"."'),
    expect.stringContaining('2,"additional_attributes cannot be "nothing"."'),
  ]);
});

test.each([
  ['no code of an attribute', 'sku,name,price,Hersteller Nr.', '"%1" cannot be an attribute'],
  ['a word of the shop', 'sku,name,price,url_path', '"%1" cannot be an attribute'],
  [
    'one that is there under another name',
    'sku,name,price,type,product_type',
    'The columns "%1" and "%2" mean the same.',
  ],
])('%s is no new attribute', async (_what, columns, message) => {
  const file = csv(columns, 'N1,New,3,x,simple');
  await expect(take('products', file, { newAttributes: true })).rejects.toMatchObject({
    message: expect.stringContaining(message),
  });
});

test('goods that are made of others are refused, unless another system says so: then they are left out', async () => {
  const file = csv('sku,name,price,product_type,associated_skus', 'SET,Set,1,grouped,"A=1,B=2"');
  expect((await take('products', file)).json).toMatchObject({ refused: 1 });
  expect((await take('products', file, { from: 'platform' })).json).toMatchObject({ saved: 0, refused: 0 });
});

/** A kind whose rows fail as they say: so often for a reason of the database, or each time for another one. */
const failing = (failures: (name: string) => Error | undefined, saved: string[]): ImportKind => ({
  columns: ['name'],
  open: async () => ({
    leftOut: new Map(),
    read: ({ name = '' }) => ({
      key: name,
      async save() {
        const failure = failures(name);
        if (failure) throw failure;
        saved.push(name);
        return [];
      },
    }),
  }),
});
const importOf = async (kind: ImportKind, ...names: string[]) => {
  const said: string[] = [];
  const file = csv('name', ...names);
  const em = () => fork();
  const state = await importFile({
    ...{ em, what: 'names', kind, file, options: {}, pauseMs: 1, say: (line) => void said.push(line) },
  });
  return { said, file, ...state };
};

test('a row that fails for a reason of its own ends nothing: it is tried alone, and refused', async () => {
  const saved: string[] = [];
  const kind = failing((name) => (name === 'c' ? new Error('a bug\nin the shop') : undefined), saved);
  const { refused, rows, file } = await importOf(kind, 'a', 'b', 'c', 'd');
  expect([rows, refused, saved.toSorted()]).toEqual([4, 1, ['a', 'b', 'd']]);
  expect(reasons(file)).toEqual(['3,The row could not be saved: a bug,c']);
});

test('while the database is away the import waits, and refuses nothing', async () => {
  const saved: string[] = [];
  let outages = 12;
  const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const { refused, said } = await importOf(
    failing(() => (--outages >= 0 ? away() : undefined), saved),
    ...['a', 'b', 'c'],
  );
  expect([refused, saved.toSorted()]).toEqual([0, ['a', 'b', 'c']]);
  expect(said).toContain('the database does not answer; the import goes on when it does');
});
