import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '../../../db/orm.ts';
import { ConfigValue } from '../../../db/platform/stores/config-value.entity.ts';
import { verify } from '../../../books/verify/verify.ts';
import { credentials } from '../../../local/demo-shop/credentials.ts';
import { seedDemoShop } from '../../../local/demo-shop/seed.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';

const secretKey = Buffer.alloc(32, 7).toString('base64');

let url: string;
let orm: MikroORM;

beforeAll(async () => {
  url = await testDatabaseUrl();
  expect(await seedDemoShop({ url, secretKey })).toBe('seeded');
  orm = await createOrm(url);
});
afterAll(() => orm.close());

const { fork, rows, write, find } = booksOf(() => orm);

/** Every row of every table, as one digest per table. */
async function everything(): Promise<Record<string, unknown>> {
  const tables = await rows(
    `select table_name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const digests = tables.map(async ({ table_name: table }) => {
    const [digest] = await rows(
      `select count(*), md5(string_agg(t::text, '|' order by t::text)) from "${String(table)}" t`,
    );
    return [String(table), digest] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}

test('it has two websites, three locations with a shelf for damaged goods each, and a catalogue worth searching', async () => {
  expect(await rows('select code, base_currency_code from website where website_id > 0 order by 1')).toEqual([
    { code: 'base', base_currency_code: 'USD' },
    { code: 'eu', base_currency_code: 'EUR' },
  ]);
  expect(
    await rows(
      'select code, currency_code, currency_rate::float as rate from store_view where store_id > 0 order by 1',
    ),
  ).toEqual([
    { code: 'ca', currency_code: 'CAD', rate: 1.36 },
    { code: 'default', currency_code: 'USD', rate: 1 },
    { code: 'eu_de', currency_code: 'EUR', rate: 1 },
  ]);
  expect(
    await rows(`select l.code, s.name as sells, d.name as damaged from pos_location l
      join inventory_source s using (source_code)
      join inventory_source d on d.source_code = l.damaged_stock_source_code order by 1`),
  ).toEqual([
    { code: 'altstadt', sells: 'Altstadt', damaged: 'Altstadt (damaged goods)' },
    { code: 'high-street', sells: 'High Street', damaged: 'High Street (damaged goods)' },
    { code: 'riverside', sells: 'Riverside', damaged: 'Riverside (damaged goods)' },
  ]);
  expect(await rows('select type_id, count(*)::int from product group by 1 order by 1')).toEqual([
    { type_id: 'configurable', count: 1 },
    { type_id: 'simple', count: 162 },
    { type_id: 'virtual', count: 2 },
  ]);
  expect(await rows(`select count(*)::int from inventory_stock_source where source_code like '%damaged'`)).toEqual([
    { count: 0 },
  ]);
});

test('its orders are paid and handed over, but for a layaway that is open', async () => {
  const orders = await rows(`select ext_order_id, o.state, pos_layaway_status as layaway, method,
      order_currency_code as currency, grand_total::float as total, total_due::float as due
    from sales_order o join sales_order_payment p on p.order_id = o.entity_id order by 1`);

  expect(orders).toEqual([
    order('demo-cad-1', 'vendor_provider_b', 'CAD', 92.21),
    order('demo-card-a-1', 'vendor_provider_a', 'USD', 71.28),
    order('demo-card-a-2', 'vendor_provider_a', 'USD', 24.73),
    order('demo-card-b-1', 'vendor_provider_b', 'USD', 145.8),
    order('demo-cash-1', 'cashondelivery', 'USD', 41.04),
    order('demo-cash-2', 'cashondelivery', 'EUR', 30.94),
    {
      ...order('demo-layaway-1', 'cashondelivery', 'USD', 127.44),
      state: 'pending_payment',
      layaway: 'open',
      due: 127.44,
    },
  ]);
});

const order = (id: string, method: string, currency: string, total: number) => ({
  ext_order_id: id,
  state: 'complete',
  layaway: null,
  method,
  currency,
  total,
  due: 0,
});

test('what was handed over has left its shelf, and only the layaway is still promised', async () => {
  expect(
    await rows(`select sku, sum(quantity)::float as promised from inventory_reservation group by 1
      having sum(quantity) <> 0`),
  ).toEqual([{ sku: 'LAMP-DESK', promised: -2 }]);
});

test('one customer has store credit, given once', async () => {
  expect(
    await rows(`select c.email, w.amount::float, w.base_currency_code as currency, count(*)::int as entries
      from store_credit_wallet w join customer c on c.id = w.customer_id join store_credit_entry using (wallet_id)
      group by 1, 2, 3`),
  ).toEqual([{ email: 'grace@demo.example', amount: 25, currency: 'USD', entries: 1 }]);
});

test('the books of the demo shop balance', async () => {
  expect(await verify(fork())).toEqual([]);
});

test('staff and customers are there, and no password or key stands in the clear', async () => {
  const secrets = [
    ...credentials.staff.map(({ passcode }) => passcode),
    ...credentials.customers.map(({ password }) => password),
    credentials.admin.password,
    'demo-test-key-of-provider-a',
    'demo-api-token-of-provider-b',
  ];
  const text = JSON.stringify(
    await Promise.all(['pos_staff', 'customer', 'admin_user', 'config_value'].map((table) => write(`table ${table}`))),
  );

  expect(await rows('select count(*)::int from pos_staff')).toEqual([{ count: credentials.staff.length }]);
  expect(await rows('select count(*)::int from customer')).toEqual([{ count: credentials.customers.length }]);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test('every register has an unused code and a license', async () => {
  expect(
    await rows(`select name, activation_code as code, activation_used_at as used, license_type as license
      from pos_terminal join pos_license using (license_id) order by terminal_id`),
  ).toEqual(
    credentials.terminals.map(({ name, activationCode }) => ({
      name,
      code: activationCode,
      used: null,
      license: 'pro',
    })),
  );
});

test('carts can be added up: taxes where its customers live, and a coupon', async () => {
  expect(await rows('select country_id, region_id, percent::float from tax_rate order by 1, 2')).toEqual([
    { country_id: 'CA', region_id: 74, percent: 13 },
    { country_id: 'DE', region_id: 0, percent: 19 },
    { country_id: 'US', region_id: 43, percent: 8 },
  ]);
  expect(await find('sales_coupon', {}, 'code')).toEqual([{ code: 'LANTERN10' }]);
});

test('the README says of everybody how they sign in', () => {
  const readme = readFileSync('README.md', 'utf8');
  const { admin, staff, terminals, customers, giftCard } = credentials;
  const words = [
    ...[admin.username, admin.password, giftCard.code],
    ...staff.flatMap(({ email, passcode }) => [email, passcode]),
    ...terminals.map(({ activationCode }) => activationCode),
    ...customers.flatMap(({ email, password }) => [email, password]),
  ];
  expect(words.filter((word) => !readme.includes(`\`${word}\``))).toEqual([]);
});

test('a second seed changes nothing, and neither do eight at once', async () => {
  const before = await everything();

  const results = await eightAtOnce(() => seedDemoShop({ url, secretKey }));

  expect(new Set(results)).toEqual(new Set(['there already']));
  expect(await everything()).toEqual(before);
});

test('a seed that broke off is completed and doubles nothing', async () => {
  const before = await everything();
  await fork().nativeDelete(ConfigValue, { path: 'demo_shop/general/seeded' });

  expect(await seedDemoShop({ url, secretKey })).toBe('seeded');

  const { config_value: _settings, ...after } = await everything();
  const { config_value: _before, ...expected } = before;
  expect(after).toEqual(expected);
});

test('a database with orders of its own is left alone', async () => {
  const own = await testDatabaseUrl();
  const ownOrm = await createOrm(own);
  try {
    await aShop(ownOrm.em.fork());
    await anOrder(ownOrm.em.fork());

    expect(await seedDemoShop({ url: own, secretKey })).toBe('left alone');
    expect(await ownOrm.em.fork().execute('select count(*)::int from product')).toEqual([{ count: 3 }]);
  } finally {
    await ownOrm.close();
  }
});
