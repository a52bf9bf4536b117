import { mkdtempSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { importCsv } from '../../../cli/import-csv.ts';
import type { ImportOptions } from '../../../cli/import/import-kind.ts';
import { makeAttributes } from '../../../db/platform/catalog/note-attributes.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { fileWith, lanterns } from '../shop/a-shop-file.ts';
import { commandContextOf } from '../support.ts';

let orm: MikroORM;
const folder = mkdtempSync(join(tmpdir(), 'pos-import-'));
beforeAll(async () => {
  orm = await testDatabase();
  await applyShopFile(commandContextOf(orm), fileWith(lanterns()), {});
});
afterAll(() => orm.close());

let files = 0;
const csv = (...lines: string[]) => {
  const file = join(folder, `${++files}.csv`);
  writeFileSync(file, lines.join('\r\n'));
  return file;
};
const take = (what: string, file: string, options: ImportOptions = {}) =>
  importCsv(commandContextOf(orm), what, file, () => undefined, options);
const { fork, find, findOne, howMany, insert, remove } = booksOf(() => orm);
const skusLike = async (pattern: RegExp): Promise<string[]> =>
  (await find('product', {}, 'sku')).map(({ sku }) => sku).filter((sku) => pattern.test(sku));

/** As a process that is killed after so many rows. */
function dyingAfter(rowsSaved: number, seen: () => void = () => undefined) {
  const dying = commandContextOf(orm);
  let saved = 0;
  return {
    ...dying,
    em: async () => {
      const em = await dying.em();
      return Object.assign(Object.create(em.fork()), {
        fork: () => {
          if (++saved > rowsSaved) {
            seen();
            throw new Error('killed');
          }
          return em.fork();
        },
      });
    },
  };
}

test('products come in, the last row of a sku counts, a repeat leaves the same', async () => {
  const file = csv(
    '\uFEFFSKU,name,price,weight,barcode',
    'CUP,"Cup, red",4.50,0.2,2001',
    'CUP,,5,,',
    'BOWL,Bowl,7,0.4,',
  );
  for (let run = 0; run < 2; run++)
    expect(await take('products', file, { newAttributes: true })).toMatchObject({
      text: '3 rows: 3 saved, 0 refused.',
      isFine: true,
    });
  expect(await find('product', {}, 'sku', 'name', 'price', 'custom_attributes')).toEqual([
    { sku: 'CUP', name: 'Cup, red', price: '5.0000', custom_attributes: { barcode: '2001' } },
    { sku: 'BOWL', name: 'Bowl', price: '7.0000', custom_attributes: {} },
  ]);
  expect(existsSync(`${file}.progress.json`)).toBe(false);
});

test('a row that is refused is told with its reason, and the others go on', async () => {
  const file = csv('sku,name,price,websites', 'X1,,3,', 'X2,Xylophone,none,', 'X3,Xray,9,mars', 'X4,Xenon,2,base');
  const { text, isFine } = await take('products', file);
  expect([text, isFine]).toEqual([`4 rows: 1 saved, 3 refused. The reasons are in ${file}.refused.csv.`, false]);
  expect(
    readFileSync(`${file}.refused.csv`, 'utf8')
      .split('\n')
      .slice(0, 4)
      .map((line) => line.trim()),
  ).toEqual([
    'row,reason,sku,name,price,websites',
    '1,"The ""Product Name"" attribute value is empty. Set the attribute and try again.",X1,,3,',
    '2,"price cannot be ""none"".",X2,Xylophone,none,',
    '3,No website has the code mars.,X3,Xray,9,mars',
  ]);
});

test('a row without a value that the attribute set demands is refused, and one with a value that is taken', async () => {
  await insert('product_attribute', {
    ...{ attribute_code: 'ean', label: 'EAN', is_required: true, is_unique: true },
  });
  await insert('attribute_in_set', { attribute_set_id: 4, attribute_group_id: 7, attribute_code: 'ean' });
  const file = csv('sku,name,price,ean', 'E2,Eel,3,', 'E3,Elk,3,1');
  await take('products', csv('sku,name,price,ean', 'E1,Egg,3,1'));
  expect((await take('products', file)).json).toMatchObject({ saved: 0, refused: 2 });
  expect(
    readFileSync(`${file}.refused.csv`, 'utf8')
      .split('\n')
      .slice(1, 3)
      .map((line) => line.trim()),
  ).toEqual([
    '1,"The ""EAN"" attribute value is empty. Set the attribute and try again.",E2,Eel,3,',
    '2,"The value of the ""EAN"" attribute isn\'t unique. Set a unique value and try again.",E3,Elk,3,1',
  ]);
  await remove('product_attribute');
});

test('customers come in with one address, however often', async () => {
  const file = csv(
    'email,firstname,lastname,group,store_view,street,city,postcode,country,region,telephone',
    'eve@example.com,Eve,Adams,Trade,ca,1 Hill,Troy,12180,US,NY,555',
    'nobody,No,Body,,,,,,,,',
    'kim@example.com,Kim,Lee,Nobles,,,,,,,',
  );
  for (let run = 0; run < 2; run++)
    expect((await take('customers', file)).json).toMatchObject({ saved: 1, refused: 2 });
  const { id, email, store_id: viewId, group_id: groupId } = await findOne('customer', {});
  expect([email, await find('customer_address', { customer_id: id }, 'region_id')]).toEqual([
    'eve@example.com',
    [{ region_id: 43 }],
  ]);
  expect(await findOne('store_view', { store_id: viewId }, 'code')).toEqual({ code: 'ca' });
  expect(await findOne('customer_group', { id: groupId }, 'code')).toEqual({ code: 'Trade' });
});

test('stock is what the file says', async () => {
  const file = csv(
    'sku,source,quantity',
    'CUP,cellar,3',
    'CUP,high_street,0',
    'GHOST,cellar,1',
    'CUP,attic,1',
    'CUP,cellar,-1',
  );
  expect((await take('stock', file)).json).toMatchObject({ saved: 2, refused: 3 });
  const lying = await find('inventory_source_item', {}, 'source_code', 'quantity', 'status');
  // Several lines are sent at once, so either may be the first.
  expect(new Set(lying)).toEqual(
    new Set([
      { source_code: 'cellar', quantity: '3.0000', status: 1 },
      { source_code: 'high_street', quantity: '0.0000', status: 0 },
    ]),
  );
});

test('a run that was killed goes on where it stopped, and tells each refused row once', async () => {
  const lines = Array.from({ length: 1_000 }, (_, at) => `K${at},${at % 100 === 0 ? '' : `Kite ${at}`},1`);
  const file = csv('sku,name,price', ...lines);
  let kept = '';
  const counted = dyingAfter(900, () => (kept ||= readFileSync(`${file}.progress.json`, 'utf8')));
  await expect(importCsv(counted, 'products', file, () => undefined)).rejects.toThrow('killed');
  expect(JSON.parse(kept)).toMatchObject({ rows: 800 });

  const said: string[] = [];
  const { json } = await importCsv(commandContextOf(orm), 'products', file, (line) => void said.push(line));
  expect(said[0]).toBe('going on after row 800');
  expect(json).toMatchObject({ rows: 1_000, saved: 990, refused: 10 });
  expect(readFileSync(`${file}.refused.csv`, 'utf8').trim().split('\n')).toHaveLength(11);
  expect(await skusLike(/^K/)).toHaveLength(990);
});

test('a missing file is refused', async () => {
  await expect(take('products', join(folder, 'nowhere.csv'))).rejects.toMatchObject({ status: 400 });
  await expect(take('products', csv('name,price', 'X,1'))).rejects.toMatchObject({ status: 400 });
  expect((await take('stock', csv('sku,source,quantity'))).json).toMatchObject({ rows: 0 });
});

test('a row that was cut up wrongly saves nothing: a price with a comma is not cut off', async () => {
  const file = csv('sku,name,price', 'C1,Comma,12,50', 'C2,Fine,3', 'C3,"Open,1');
  expect((await take('products', file)).json).toMatchObject({ rows: 3, saved: 1, refused: 2 });
  expect(readFileSync(`${file}.refused.csv`, 'utf8')).toContain('more cells than the first line: ""50""');
  const broken = csv('sku,name,price', 'C4,"Open,1', 'C5,Next,2');
  expect((await take('products', broken)).json).toMatchObject({ rows: 2, saved: 1, refused: 1 });
  expect(await skusLike(/^C\d/)).toEqual(['C2', 'C5']);
});

test('a file in another encoding is refused as a whole', async () => {
  const file = csv();
  writeFileSync(file, Buffer.from('sku,name,price\nL1,Latte,1\nL2,Caf\u00e9,1', 'latin1'));
  await expect(take('products', file)).rejects.toMatchObject({ status: 400 });
  writeFileSync(file, Buffer.from('sku,name,price\nL1,Latte,1', 'utf16le'));
  await expect(take('products', file)).rejects.toMatchObject({ status: 400 });
  expect(await skusLike(/^L\d/)).toEqual([]);
});

test('a mark of the encoding before a quote, and a character that is not text', async () => {
  const file = csv('\uFEFF"sku","name",price', 'M1,"Maté é🙂",1', 'M2,Nul\0,1');
  expect((await take('products', file)).json).toMatchObject({ saved: 1, refused: 1 });
  expect(await find('product', { sku: 'M1' }, 'name')).toEqual([{ name: 'Maté é🙂' }]);
});

test('the file of refused rows is corrected and imported, and nothing of its notes is saved', async () => {
  const file = csv('sku,name,price,hotline', 'R1,Radio,none,+1 518 555 0188', 'R2,=Sum,none,-5');
  await take('products', file, { newAttributes: true });
  const refused = readFileSync(`${file}.refused.csv`, 'utf8');
  expect(refused).toContain(`'+1 518 555 0188`);
  const corrected = csv(...refused.replaceAll('none', '5').trimEnd().split(/\r?\n/));
  // The reasons quote what was wrong; they are read over.
  expect((await take('products', corrected)).json).toMatchObject({ saved: 2, refused: 0 });
  expect(await findOne('product', { sku: 'R1' }, 'name', 'custom_attributes')).toEqual({
    name: 'Radio',
    custom_attributes: { hotline: '+1 518 555 0188' },
  });
  expect(await findOne('product', { sku: 'R2' }, 'name', 'custom_attributes')).toEqual({
    name: '=Sum',
    custom_attributes: { hotline: '-5' },
  });
});

describe('a killed run', () => {
  /** A run of products that ends after 450 of 500 rows, with its note at 400. */
  async function killed(prefix: string) {
    const lines = Array.from({ length: 500 }, (_, at) => `${prefix}${at},${at === 7 ? '' : 'Thing'},1,cellar,2`);
    const file = csv('sku,name,price,source,quantity', ...lines);
    await makeAttributes(fork(), ['source', 'quantity']);
    await expect(importCsv(dyingAfter(450), 'products', file, () => undefined)).rejects.toThrow('killed');
    return file;
  }

  test('whose file is taken for something else begins anew', async () => {
    const { json } = await take('stock', await killed('A'));
    // The products of the last rows, and the one that was refused, are not there.
    expect(json).toMatchObject({ rows: 500 });
    expect(await howMany('inventory_source_item', { sku: 'A0' })).toBe(1);
  });

  test('goes on though its refused rows were moved away, or cut off by hand', async () => {
    for (const cut of [(path: string) => rmSync(path), (path: string) => writeFileSync(path, 'row')]) {
      const file = await killed(`B${files}x`);
      cut(`${file}.refused.csv`);
      expect((await take('products', file)).json).toMatchObject({ rows: 500, refused: 1 });
      expect(readFileSync(`${file}.refused.csv`, { encoding: 'utf8', flag: 'a+' })).not.toContain('\0');
    }
  });
});
