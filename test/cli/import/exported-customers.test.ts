import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { importCsv } from '../../../cli/import-csv.ts';
import type { ImportOptions } from '../../../cli/import/import-kind.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { fileWith, lanterns } from '../shop/a-shop-file.ts';
import { commandContextOf } from '../support.ts';

let orm: MikroORM;
const folder = mkdtempSync(join(tmpdir(), 'pos-customers-'));
beforeAll(async () => {
  orm = await testDatabase();
  await applyShopFile(commandContextOf(orm), fileWith(lanterns()), {});
});
afterAll(() => orm.close());

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
  expect(await addresses('ann@shop.example')).toMatchObject([{ firstname: 'Anna', street: ['Hill 1'], region_id: 43 }]);
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
  expect(reasons(file)).toEqual([expect.stringContaining('dob cannot be ""1990-02-30"". Write a day as 2030-12-31.')]);
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
  await expect(take(csv('email,firstname,lastname,city,_address_city', 'a@b.example,A,B,X,Y'))).rejects.toMatchObject({
    message: 'Two columns mean the same: "%1".',
  });
});
