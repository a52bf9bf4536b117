import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { createUser, exportShop } from '../../../cli/shop-commands.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { commandContextOf } from '../support.ts';
import { fileWith, lanterns } from './a-shop-file.ts';
import { inWords } from './in-words.ts';

const orm = useDatabase();

const shop = () => commandContextOf(orm);
const apply = (file: unknown, options = {}) => applyShopFile(shop(), fileWith(file), options);
const changesBy = async (file: unknown, options = {}) => (await apply(file, options)).text;
const unchanged = 'The shop is as the file says: nothing to change.';
const { find, findOne, howMany, change, insert, configure } = booksOf(() => orm);

test('an empty database becomes a shop, after a trial that changes nothing', async () => {
  const trial = await changesBy(lanterns(), { dryRun: true });
  expect(trial).toContain('+ website base: name "Main Website"');
  expect(trial).toMatch(/17 changes would be made; nothing was changed\./);
  expect(await find('website', {}, 'website_id')).toEqual([{ website_id: 0 }]);

  const made = await changesBy(lanterns());
  expect(made).toContain('17 changes made.');
  expect(made).toContain('Administrator ada is not there yet: npm run pos -- user create --username ada');
  const website = await findOne('website', { code: 'base' }, 'is_default', 'default_group_id');
  expect([await howMany('website'), website.is_default]).toEqual([2, true]);
  const group = website.default_group_id;
  expect(await findOne('store_group', { group_id: group }, 'code')).toEqual({ code: 'main' });
  expect(await find('store_view', { store_group_id: group }, 'code', 'currency_rate')).toEqual([
    { code: 'default', currency_rate: '1.000000000000' },
    { code: 'ca', currency_rate: '1.360000000000' },
  ]);
  expect(await find('inventory_stock_source', {}, 'source_code', 'priority')).toEqual([
    { source_code: 'high_street', priority: 1 },
    { source_code: 'cellar', priority: 2 },
  ]);
});

test('the same file again has nothing to change, and neither has what the export wrote', async () => {
  const { changes } = (await apply(lanterns())).json as { changes: unknown[] };
  expect(changes).toEqual([]);

  const { text } = await exportShop(shop());
  expect(await changesBy(text)).toBe(unchanged);
  expect(parse(text)).toMatchObject({
    sources: [{ code: 'cellar' }, { code: 'default' }, { code: 'high_street', region: 'NY' }],
  });
  expect(await changesBy(JSON.stringify(parse(text)), { prune: true })).toBe(unchanged);
});

test('eight at once make one shop', async () => {
  const moved = lanterns();
  moved.sources[0]!.city = 'Albany';
  const answers = await eightAtOnce(() => changesBy(moved));
  expect(answers.filter((text) => text.includes('~ source high_street: city "Troy" → "Albany"'))).toHaveLength(1);
  expect(answers.filter((text) => text.startsWith(unchanged))).toHaveLength(7);
});

test('an administrator who is there gets the rights of the file', async () => {
  const ada = { username: 'ada', email: 'ada@example.com', firstName: 'Ada', lastName: 'L', acl: 'all' };
  await createUser(shop(), ada);
  const less = { administrators: [{ ...lanterns().administrators[0], resources: ['Vendor_Pos::locations'] }] };
  expect(await changesBy(less)).toContain('~ administrator ada: resources');
  expect(await find('admin_user', { username: 'ada' }, 'resources')).toEqual([
    { resources: ['Vendor_Pos::locations'] },
  ]);
});

test('what a file does not name stays, unless it is pruned', async () => {
  const { roles, locations } = lanterns();
  locations[0]!.terminals.pop();
  const left = await changesBy({ roles, locations });
  expect(left).toContain('Not in the file, and left as it is: terminal Till 2. --prune removes it.');

  expect(await changesBy({ roles, locations }, { prune: true })).toContain('- terminal Till 2');
  expect(await find('pos_terminal', {}, 'name')).toEqual([{ name: 'Till 1' }]);
  // A section that is not in the file is no list of everything.
  expect(await howMany('inventory_source')).toBe(3);
});

test('a website that is removed leaves nothing to the one that gets its number', async () => {
  const two = lanterns();
  two.websites.push({ ...structuredClone(two.websites[0]!), code: 'fr', isDefault: false });
  Object.assign(two.websites[1]!.groups[0]!, { code: 'fr_main', views: [{ code: 'fr', currencyCode: 'EUR' }] });
  const one = { websites: two.websites.slice(0, 1) };
  const other = { websites: structuredClone(two.websites) };
  Object.assign(other.websites[1]!, { code: 'it' });
  Object.assign(other.websites[1]!.groups[0]!, { code: 'it_main', views: [{ code: 'it', currencyCode: 'EUR' }] });
  const idOf = async (code: string) => (await findOne('website', { code }, 'website_id')).website_id;

  await changesBy({ websites: two.websites });
  const id = Number(await idOf('fr'));
  await configure('payment/gateway/key', 'sealed', 'websites', id);
  await change('config_value', { path: 'payment/gateway/key' }, { is_encrypted: true });
  const { store_id: view } = await findOne('store_view', { code: 'fr' }, 'store_id');
  await configure('payment/gateway/key', 'own', 'stores', view);
  const price = JSON.stringify({ [`w${id}`]: { price: '3' } });
  await insert('product', {
    ...{ sku: 'BAGUETTE', name: 'Baguette', price: 2, website_ids: `{${id}}`, scoped_values: price },
  });
  expect(await changesBy(one, { prune: true }).catch(inWords)).toBe('This needs website fr as it is: 1 products.');
  await change('product', { sku: 'BAGUETTE' }, { website_ids: '{}' });

  expect(await changesBy(one, { prune: true })).toContain('- website fr');
  await changesBy(other);
  expect(await idOf('it')).toBe(id);
  expect(await find('config_value', { path: 'payment/gateway/key' })).toEqual([]);
  expect(await find('product', { sku: 'BAGUETTE' }, 'scoped_values')).toEqual([{ scoped_values: {} }]);
  await changesBy(one, { prune: true });
});

test('two stocks swap their websites', async () => {
  const two = lanterns();
  two.websites.push({ ...structuredClone(two.websites[0]!), code: 'eu', isDefault: false });
  Object.assign(two.websites[1]!.groups[0]!, { code: 'eu_main', views: [{ code: 'de', currencyCode: 'EUR' }] });
  two.stocks.push({ name: 'Other stock', websites: ['eu'], sources: ['cellar'] });
  await changesBy(two);
  two.stocks[0]!.websites = ['eu'];
  two.stocks[1]!.websites = ['base'];
  await changesBy(two);
  expect(await find('inventory_stock', {}, 'name', 'website_codes')).toEqual([
    { name: 'Main stock', website_codes: ['eu'] },
    { name: 'Other stock', website_codes: ['base'] },
  ]);
  two.stocks[0]!.websites = [];
  await expect(changesBy(two)).rejects.toMatchObject({
    refusal: { message: 'Website %1 would have no stock to sell from; name it in another stock.' },
  });
  expect(await changesBy(two, { dryRun: true }).catch(() => 'refused')).toBe('refused');
});
