import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { parse } from 'yaml';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { createUser } from '../../../cli/create-user.ts';
import { exportShop } from '../../../cli/export-shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { commandContextOf } from '../support.ts';
import { fileWith, lanterns } from './a-shop-file.ts';
import { inWords } from './in-words.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
});
afterAll(() => orm.close());

const shop = () => commandContextOf(orm);
const apply = (file: unknown, options = {}) => applyShopFile(shop(), fileWith(file), options);
const changesBy = async (file: unknown, options = {}) => (await apply(file, options)).text;
const unchanged = 'The shop is as the file says: nothing to change.';
const { rows, write, change, configure, find, insert } = booksOf(() => orm);

test('an empty database becomes a shop, after a trial that changes nothing', async () => {
  const trial = await changesBy(lanterns(), { dryRun: true });
  expect(trial).toContain('+ website base: name "Main Website"');
  expect(trial).toMatch(/17 changes would be made; nothing was changed\./);
  expect(await rows('select 1 from website where website_id > 0')).toEqual([]);

  const made = await changesBy(lanterns());
  expect(made).toContain('17 changes made.');
  expect(made).toContain('Administrator ada is not there yet: npm run pos -- user create --username ada');
  expect(
    await rows(`select w.code, w.is_default, g.code as group, v.code as view, v.currency_rate::float8 as rate
      from website w join store_group g on g.group_id = w.default_group_id
      join store_view v on v.store_group_id = g.group_id where w.website_id > 0 order by v.store_id`),
  ).toEqual([
    { code: 'base', is_default: true, group: 'main', view: 'default', rate: 1 },
    { code: 'base', is_default: true, group: 'main', view: 'ca', rate: 1.36 },
  ]);
  expect(
    await find('inventory_stock_source', {}, 'source_code', 'priority') /* ORDER inventory_stock_source by priority */,
  ).toEqual([
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
  expect(await rows('select count(*)::int as sources from inventory_source')).toEqual([{ sources: 3 }]);
});

test('a website that is removed leaves nothing to the one that gets its number', async () => {
  const two = lanterns();
  two.websites.push({ ...structuredClone(two.websites[0]!), code: 'fr', isDefault: false });
  Object.assign(two.websites[1]!.groups[0]!, { code: 'fr_main', views: [{ code: 'fr', currencyCode: 'EUR' }] });
  const one = { websites: two.websites.slice(0, 1) };
  const other = { websites: structuredClone(two.websites) };
  Object.assign(other.websites[1]!, { code: 'it' });
  Object.assign(other.websites[1]!.groups[0]!, { code: 'it_main', views: [{ code: 'it', currencyCode: 'EUR' }] });
  const idOf = async (code: string) =>
    (await rows(`select website_id as id from website where code = '${code}'`))[0]!['id'];

  await changesBy({ websites: two.websites });
  const id = Number(await idOf('fr'));
  await insert('config_value', {
    scope: 'websites',
    scope_id: id,
    path: 'payment/gateway/key',
    value: 'sealed',
    is_encrypted: true,
  });
  const [view] = await find('store_view', { code: 'fr' }, 'store_id');
  await configure('payment/gateway/key', 'own', 'stores', view!.store_id);
  await write(`insert into product (sku, name, price, website_ids, scoped_values)
    values ('BAGUETTE', 'Baguette', 2, '{${id}}', '{"w${id}": {"price": "3"}}')`);
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
  expect(await find('inventory_stock', {}, 'name', 'website_codes') /* ORDER inventory_stock by stock_id */).toEqual([
    { name: 'Main stock', website_codes: ['eu'] },
    { name: 'Other stock', website_codes: ['base'] },
  ]);
  two.stocks[0]!.websites = [];
  await expect(changesBy(two)).rejects.toMatchObject({
    refusal: { message: 'Website %1 would have no stock to sell from; name it in another stock.' },
  });
  expect(await changesBy(two, { dryRun: true }).catch(() => 'refused')).toBe('refused');
});
