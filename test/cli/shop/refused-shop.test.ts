import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { commandContextOf } from '../support.ts';
import { inWords } from './in-words.ts';
import { fileWith, lanterns, type Lanterns } from './a-shop-file.ts';

const { find, findOne, insert } = booksOf(() => orm);

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await applyShopFile(commandContextOf(orm), fileWith(lanterns()), {});
  const view = await findOne('store_view', { code: 'ca' }, 'website_id', 'store_id');
  await insert('customer', { ...view, email: 'eve@example.com', group_id: 1, firstname: 'Eve', lastname: 'A' });
  await insert('inventory_source_item', { sku: 'MUG', source_code: 'cellar', quantity: 3 });
});
afterAll(() => orm.close());

const refusal = async (file: unknown, options = {}) =>
  applyShopFile(commandContextOf(orm), fileWith(file), options).then(() => 'applied', inWords);

const without: [string, (shop: Lanterns) => unknown, string][] = [
  [
    'a currency that the books are kept in',
    (shop) => void (shop.websites[0]!.baseCurrencyCode = 'EUR'),
    'This needs the currency of website base as it is: 2 store views, 1 customers, 1 locations, 1 stocks.',
  ],
  [
    'a store view with customers',
    (shop) => shop.websites[0]!.groups[0]!.views.pop(),
    'This needs store view ca as it is: 1 customers.',
  ],
  [
    'a source where goods lie',
    (shop) => {
      shop.sources.pop();
      shop.stocks[0]!.sources.pop();
      Object.assign(shop.locations[0]!, { damagedSource: null });
    },
    'This needs source cellar as it is: 1 products lie there.',
  ],
  [
    'the group of guests',
    (shop) => shop.customerGroups.shift(),
    'Customer group NOT LOGGED IN is that of guests and stays.',
  ],
  [
    'the group of new accounts',
    (shop) => shop.customerGroups.splice(1, 1),
    'Customer group General is that of new accounts and stays.',
  ],
  [
    'two groups with one code but for the case of its letters',
    (shop) => shop.customerGroups.push({ code: 'GENERAL', taxClassId: 3 }),
    'Customer Group already exists.',
  ],
  [
    'a location with terminals elsewhere in the file',
    (shop) => void (shop.locations[0]!.source = 'attic'),
    'Could not save the location: the source does not exist',
  ],
  [
    'two with one name',
    (shop) => shop.roles.push(shop.roles[0]!),
    'Two of them are called role Cashier; rename one first.',
  ],
];

const standing = async () => [await find('website'), await find('store_view')];

test.each(without)('nothing is left without %s', async (_what, change, sentence) => {
  const shop = lanterns();
  change(shop);
  const before = await standing();
  expect(await refusal(shop, { prune: true })).toBe(sentence);
  expect(await standing()).toEqual(before);
});

test('a file with faults says each with its line and changes nothing', async () => {
  const wrong = ['websites:', '  - code: base', '    baseCurrency: USD', '    groups: []', 'prices: []'].join('\n');
  const sentence = await refusal(wrong);
  expect(sentence).toContain('nothing was changed');
  expect(sentence).toContain('line 3: websites › 0 › baseCurrency: is no key of a shop file');
  expect(sentence).toContain('line 5: prices: is no key of a shop file');
  expect(sentence).toMatch(/line 2: websites › 0 › baseCurrencyCode: /);
});

test.each([
  ['no YAML', 'websites: [', /neither YAML nor JSON/],
  ['a list', '- websites', /line 1: the file/],
  ['a setting nobody reads', { settings: { default: { 'vendor_pos/general/enabeld': 1 } } }, /enabeld: is no key/],
  [
    'a secret',
    { settings: { default: { 'vendor_pos_terminal/provider_a/api_key': 'k' } } },
    /api_key: is no key of a shop file/,
  ],
  [
    'a setting that cannot be this',
    { settings: { default: { 'vendor_pos_terminal/layaway/expiry_days': 'soon' } } },
    /expiry_days takes a whole number of 0 or more, not "soon"/,
  ],
  [
    'a country that is none',
    { sources: [{ code: 'x', name: 'X', countryId: 'XX', postcode: '1' }] },
    /countryId: is no country of ISO 3166/,
  ],
  [
    'a language that nobody speaks',
    (({ websites }) => {
      Object.assign(websites[0]!.groups[0]!.views[1]!, { locale: 'xx_YY' });
      return { websites };
    })(lanterns()),
    /locale: is no locale: there is no such language or country/,
  ],
  ['a permission nobody has', { roles: [{ name: 'X', permissions: ['fly'] }] }, /line 4: roles › 0 › permissions › 0/],
  [
    'a resource that no route asks for',
    { administrators: [{ username: 'eve', email: 'e@shop.example', resources: ['Vendor_Pos::locatoins'] }] },
    /resources › 0: is a resource that no route asks for; perhaps it is one of: Vendor_Pos::locations, /,
  ],
  ['null where a list belongs', { sources: null }, /sources/],
])('%s is refused', async (_what, file, sentence) => {
  expect(await refusal(file)).toMatch(sentence);
});

test('an empty file changes nothing', async () => {
  expect(await refusal('')).toBe('applied');
});
