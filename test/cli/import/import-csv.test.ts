import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { importCsv } from '../../../cli/import-csv.ts';
import { importFile } from '../../../cli/import/import-state.ts';
import type { ImportKind, ImportOptions } from '../../../cli/import/read-rows.ts';
import { makeAttributes } from '../../../db/platform/catalog/search-product-attributes.ts';
import { booksOf } from '../../support/books.ts';
import { fileWith, lanterns } from '../shop/a-shop-file.ts';
import { commandContextOf } from '../support.ts';
import { useDatabase } from '../../support/fixtures.ts';

describe('exported customers', () => {
  const orm = useDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'pos-customers-'));
  beforeAll(() => applyShopFile(commandContextOf(orm), fileWith(lanterns()), {}));

  const { find, findOne, configure } = booksOf(() => orm);

  let files = 0;
  const csv = (...lines: string[]) => {
    const file = join(folder, `${++files}.csv`);
    writeFileSync(file, lines.join('\n'));
    return file;
  };
  function exported(name: string): string {
    const file = join(folder, name);
    copyFileSync(new URL(`exports/${name}`, import.meta.url), file);
    return file;
  }
  const take = (file: string, options: ImportOptions = {}) =>
    importCsv(commandContextOf(orm), 'customers', file, () => undefined, options);
  const reasons = (file: string) => readFileSync(`${file}.refused.csv`, 'utf8').trim().split('\n').slice(1);
  const customer = (email: string) => findOne('customer', { email });
  const addresses = async (email: string) => find('customer_address', { customer_id: (await customer(email))['id'] });

  test('customers of the platform keep their groups, birthdays and all their addresses', async () => {
    const file = exported('platform-customers.csv');
    for (let run = 0; run < 2; run++)
      expect((await take(file, { from: 'platform' })).json).toMatchObject({ rows: 4, saved: 3, refused: 1 });
    const jon = await customer('jon@shop.example');
    expect(jon).toMatchObject({ group_id: 2, dob: '1985-05-28', gender: 1, firstname: 'Jon' });
    const [home, other, ...more] = await addresses('jon@shop.example');
    expect(home).toMatchObject({ street: ['Main Street 1', 'Suite 200'], city: 'Campbell', region_id: 12 });
    expect(other).toMatchObject({ firstname: 'Jana', city: 'Berlin', country_id: 'DE' });
    expect(more).toEqual([]);
    expect(jon).toMatchObject({ default_billing: home?.['id'], default_shipping: other?.['id'] });
    expect(reasons(file)).toEqual([expect.stringContaining('4,"US has no region ""Ruritania"".')]);
    expect(await addresses('ann@shop.example')).toEqual([]);
  });

  test('addresses of the platform come to customers who are there', async () => {
    const file = exported('platform-addresses.csv');
    for (let run = 0; run < 2; run++) expect((await take(file, { from: 'platform' })).json).toMatchObject({ saved: 1 });
    expect(await addresses('ann@shop.example')).toMatchObject([
      { firstname: 'Anna', street: ['Hill 1'], region_id: 43 },
    ]);
    expect((await customer('ann@shop.example'))['firstname']).toBe('Ann');
    expect(reasons(file)).toEqual([
      expect.stringContaining('No customer of the website has the e-mail nobody@shop.example'),
    ]);
  });

  test('customers of Shopify come with their default address', async () => {
    const answer = await take(exported('shopify-customers.csv'), { from: 'shopify' });
    expect(answer.json).toMatchObject({ rows: 3, saved: 2, refused: 1 });
    expect(await addresses('tomo@shop.example')).toMatchObject([
      {
        ...{ street: ['8 Ferry Street', 'Flat 3'], postcode: '12180', region_id: 43, country_id: 'US' },
        ...{ company: 'Mino Ltd', telephone: '+15185550188' },
      },
    ]);
    expect(answer.text).toContain('  tags: the shop keeps no such thing of a customer (row 1)');
  });

  test('customers of Square live in the country of the shop', async () => {
    const file = exported('square-customers.csv');
    await expect(take(file, { from: 'square' })).rejects.toMatchObject({ status: 400 });
    await configure('general/store_information/country_id', 'US');
    expect((await take(file, { from: 'square' })).json).toMatchObject({ rows: 2, saved: 1, refused: 1 });
    expect(await customer('sue@shop.example')).toMatchObject({ dob: '1990-02-28' });
    expect(await addresses('sue@shop.example')).toMatchObject([
      { country_id: 'US', region_id: 43, telephone: '+15185550144' },
    ]);
    expect(reasons(file)).toEqual([
      expect.stringContaining('dob cannot be ""1990-02-30"". Write a day as 2030-12-31.'),
    ]);
  });

  test('the platform’s columns are read without saying whose export it is', async () => {
    const columns = 'email,_website,firstname,lastname,group_id,_address_city,_address_country_id,_address_postcode';
    const file = csv(
      `${columns},_address_region,_address_street,_address_telephone`,
      'jo@shop.example,base,Jo,Doe,2,Campbell,US,95008,California,"Main Street 1',
      'Suite 200",5551',
    );
    expect((await take(file)).json).toMatchObject({ rows: 1, saved: 1 });
    expect(await customer('jo@shop.example')).toMatchObject({ group_id: 2 });
    expect(await addresses('jo@shop.example')).toMatchObject([{ street: ['Main Street 1', 'Suite 200'] }]);
  });

  test('an address that lacks something is refused with its customer, and one that differs is added', async () => {
    const columns = 'email,firstname,lastname,street,city,postcode,country,region,telephone';
    const file = csv(
      columns,
      'no@shop.example,No,Street,,Troy,12180,US,NY,555',
      'far@shop.example,Far,Away,1 Hill,Troy,12180,Germany,,555',
      'none@shop.example,No,Country,1 Hill,Troy,12180,Atlantis,,555',
      `long@shop.example,Long,City,1 Hill,${'c'.repeat(256)},12180,DE,,555`,
      'group@shop.example,Bad,Birth,,,,,,',
    );
    expect((await take(file)).json).toMatchObject({ rows: 5, saved: 2, refused: 3 });
    expect(reasons(file).map((line) => line.slice(0, 80))).toEqual([
      expect.stringContaining('""%fieldName"" is required'.replace('%fieldName', 'street')),
      expect.stringContaining('Invalid value of ""Atlantis"" provided for the countryId field.'),
      expect.stringContaining('The city value must not be longer than 255 characters.'),
    ]);
    expect(await addresses('far@shop.example')).toMatchObject([{ country_id: 'DE' }]);
    await take(csv(columns, 'far@shop.example,Far,Away,2 Hill,Troy,12180,de,,555'));
    expect(await addresses('far@shop.example')).toMatchObject([{ street: ['1 Hill'] }, { street: ['2 Hill'] }]);
  });

  test('a column that no customer has is refused by its name, and nothing is saved', async () => {
    const file = csv('email,firstname,lastname,telefone', 'new@shop.example,New,One,555');
    await expect(take(file)).rejects.toMatchObject({ parameters: ['"telefone"'] });
    expect(await find('customer', { email: 'new@shop.example' })).toEqual([]);
    await expect(take(csv('email,firstname,lastname,city,_address_city', 'a@b.example,A,B,X,Y'))).rejects.toMatchObject(
      {
        message: 'Two columns mean the same: "%1".',
      },
    );
  });
});

describe('import csv', () => {
  const orm = useDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'pos-import-'));
  beforeAll(() => applyShopFile(commandContextOf(orm), fileWith(lanterns()), {}));

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

    test('goes on among the rows of store views, and lists each refused one once', async () => {
      const lines = Array.from({ length: 500 }, (_, at) => [
        `V${at},,View,1`,
        `V${at},${at === 3 ? 'mars' : 'ca'},Vue,`,
      ]);
      const file = csv('sku,store_view,name,price', ...lines.map(([base = '', view = '']) => `${view}\n${base}`));
      await expect(importCsv(dyingAfter(950), 'products', file, () => undefined)).rejects.toThrow('killed');
      expect(JSON.parse(readFileSync(`${file}.progress.json`, 'utf8'))).toMatchObject({ refused: 1 });
      expect((await take('products', file)).json).toMatchObject({ rows: 1_000, saved: 999, refused: 1 });
      expect(readFileSync(`${file}.refused.csv`, 'utf8').trim().split('\n')).toHaveLength(2);
      expect(await howMany('product', { sku: 'V499' })).toBe(1);
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
});

describe('refused rows', () => {
  const orm = useDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'pos-refused-'));
  beforeAll(async () => {
    await applyShopFile(commandContextOf(orm), fileWith(lanterns()), {});
    await makeAttributes(fork(), ['barcode']);
  });

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
    const file = csv(
      'sku,store_view_code,name,price',
      'SV,,Strap,14',
      'SV,ca,Sangle,15',
      'SV,mars,Riem,',
      'NEW,ca,Neu,',
    );
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
});
