import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { verify } from '../../../books/verify/verify.ts';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { createOrm } from '../../../db/orm.ts';
import { ConfigValue } from '../../../db/platform/stores/store.entity.ts';
import { credentials } from '../../../local/demo-shop/stores.ts';
import { seedDemoShop } from '../../../local/demo-shop/seed.ts';
import { commandContextOf } from '../../cli/support.ts';
import { booksOf } from '../../support/books.ts';
import { everything } from '../../support/books/everything.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { useApi } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { firstId } from '../../support/first-id.ts';

describe('credentials', () => {
  const secretKey = Buffer.alloc(32, 9).toString('base64');
  const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });

  beforeAll(() => seedDemoShop(api.orm, secretKey));

  const post = (path: string, body: unknown, token = api.tokens.admin) => api.call('POST', path, { token, body });
  const get = (path: string) => api.call('GET', path, { token: api.tokens.admin });

  test('the administrator signs in and may do everything', async () => {
    const { username, password } = credentials.admin;

    const { body: token } = await api.call('POST', '/V1/integration/admin/token', { body: { username, password } });

    expect(await api.call('GET', '/V1/products?searchCriteria=', { token })).toMatchObject({ status: 200 });
  });

  test.each(credentials.customers)('$name signs in on the own website', async ({ email, password, store }) => {
    const signIn = await api.call('POST', `/rest/${store}/V1/integration/customer/token`, {
      body: { username: email, password },
    });

    expect(signIn).toMatchObject({ status: 200, body: expect.any(String) });
  });

  test.each(credentials.staff)('$name signs in at a register', async ({ email, passcode, role }) => {
    const { status, body } = await post('/V1/pos/staff/authenticate', { email, passcode, terminalId: firstId });

    expect({ status, email: body.staff.email, role: body.role.name }).toEqual({ status: 200, email, role });
  });

  test.each(credentials.terminals)('$name is activated with its code, once', async ({ activationCode, location }) => {
    const deviceIdentifier = `device-${activationCode}`;

    expect(await post('/V1/pos/terminals/activate', { activationCode, deviceIdentifier })).toMatchObject({
      status: 200,
      body: { location: { code: location } },
    });
    expect(await post('/V1/pos/terminals/activate', { activationCode, deviceIdentifier: 'another' })).toMatchObject({
      status: 404,
    });
  });

  test('a register finds its payment methods, its staff and its license', async () => {
    const config = JSON.parse((await get('/V1/pos/config')).body);
    const terminal = JSON.parse((await get(`/V1/pos/terminals/${firstId}/config`)).body);

    expect(config.payments.providers).toMatchObject({
      provider_a: { magento_method: 'vendor_provider_a' },
      provider_b: { magento_method: 'vendor_provider_b' },
    });
    expect(config.tax.weee).toMatchObject({ enabled: true, attributes: [{ code: 'eco_fee', label: 'Recycling fee' }] });
    expect(terminal).toMatchObject({ terminal: { license_type: 'pro' }, location: { code: 'high-street' } });
    expect(terminal.staff.map(({ email }: { email: string }) => email).toSorted()).toEqual([
      'carla@demo.example',
      'mona@demo.example',
    ]);
  });

  test('the gift card can be looked up, and Grace has credit at every provider', async () => {
    const { code, amount } = credentials.giftCard;
    const [grace] = credentials.customers;
    const found = await get(
      `/V1/customers/search?searchCriteria[filter_groups][0][filters][0][field]=email&searchCriteria[filter_groups][0][filters][0][value]=${grace.email}`,
    );

    expect((await get(`/V1/pos/credits/giftcard/${code}`)).body).toMatchObject({
      balance: Number(amount),
      currency: 'USD',
    });
    expect((await get(`/V1/pos/credits/balance/${found.body.items[0].id}`)).body).toMatchObject([
      { type: 'store_credit', balance: 25 },
      { type: 'loyalty_points', balance: credentials.points, currency_value: credentials.points / 100 },
    ]);
  });

  test('a lamp carries its recycling fee, and a shirt its sizes', async () => {
    const lamp = (await get('/V1/products/LAMP-DESK')).body;
    const shirt = (await get('/V1/products/SHIRT')).body;

    expect(lamp.custom_attributes).toContainEqual({
      attribute_code: 'eco_fee',
      value: [
        { website_id: '0', country: 'CA', state: '0', value: '1.2000', website_value: 1.2 },
        { website_id: '0', country: 'DE', state: '0', value: '0.8900', website_value: 0.89 },
        { website_id: '0', country: 'US', state: '0', value: '2.5000', website_value: 2.5 },
        { website_id: '0', country: 'US', state: '12', value: '4.0000', website_value: 4 },
      ],
    });
    expect(shirt.extension_attributes.configurable_product_links).toHaveLength(6);
  });

  test('no list tells a password, a passcode, a code or a key', async () => {
    const paths = [
      '/V1/products',
      '/V1/customers/search',
      '/V1/customerGroups/search',
      '/V1/orders',
      '/V1/invoices',
      '/V1/pos/locations',
      '/V1/pos/receipts',
      '/V1/inventory/sources',
    ];
    const answers = await Promise.all(paths.map((path) => get(`${path}?searchCriteria=`)));
    const text = JSON.stringify(answers.map(({ body }) => body));
    const secrets = [
      ...credentials.staff.map(({ passcode }) => passcode),
      ...credentials.customers.map(({ password }) => password),
      'demo-test-key-of-provider-a',
    ];

    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    expect(secrets.filter((secret) => text.includes(`"${secret}"`))).toEqual([]);
    expect(text).not.toMatch(/\$2[aby]\$|password|passcode_hash|sealed/);
  });
});

describe('seed', () => {
  const secretKey = Buffer.alloc(32, 7).toString('base64');

  let url: string;
  let orm: MikroORM;

  beforeAll(async () => {
    url = await testDatabaseUrl();
    orm = await createOrm(url);
    expect(await seedDemoShop(orm, secretKey)).toBe('seeded');
  });
  afterAll(() => orm.close());

  const books = booksOf(() => orm);
  const { paymentsOf, theCustomer, fork, find, findOne, howMany } = books;

  /** As another process does. */
  async function seedApart() {
    const own = await createOrm(url);
    try {
      return await seedDemoShop(own, secretKey);
    } finally {
      await own.close();
    }
  }

  test('it has two websites, three locations with a shelf for damaged goods each, and a catalogue worth searching', async () => {
    const [, ...websites] = await find('website', {}, 'code', 'base_currency_code');
    expect(websites).toEqual([
      { code: 'base', base_currency_code: 'USD' },
      { code: 'eu', base_currency_code: 'EUR' },
    ]);
    const [, ...views] = await find('store_view', {}, 'code', 'currency_code', 'currency_rate');
    expect(views).toEqual([
      { code: 'default', currency_code: 'USD', currency_rate: '1.000000000000' },
      { code: 'ca', currency_code: 'CAD', currency_rate: '1.360000000000' },
      { code: 'eu_de', currency_code: 'EUR', currency_rate: '1.000000000000' },
    ]);
    const sources = new Map((await find('inventory_source')).map(({ source_code: code, name }) => [code, name]));
    const places = await find('pos_location', {}, 'code', 'source_code', 'damaged_stock_source_code');
    const shelves = places.map((place) => [
      ...[place.code, sources.get(place.source_code), sources.get(place.damaged_stock_source_code)],
    ]);
    expect(new Set(shelves)).toEqual(
      new Set([
        ['altstadt', 'Altstadt', 'Altstadt (damaged goods)'],
        ['high-street', 'High Street', 'High Street (damaged goods)'],
        ['riverside', 'Riverside', 'Riverside (damaged goods)'],
      ]),
    );
    expect(await howMany('product')).toBe(166);
    expect(await howMany('product', { type_id: 'configurable' })).toBe(1);
    expect(await howMany('product', { type_id: 'virtual' })).toBe(2);
    const sold = await find('inventory_stock_source', {}, 'source_code');
    expect(sold.filter(({ source_code: code }) => code.endsWith('damaged'))).toEqual([]);
  });

  test('its orders are paid and handed over, but for a layaway that is open', async () => {
    const orders = [];
    for (const found of await find(
      ...(['sales_order', {}, 'entity_id', 'ext_order_id', 'state', 'pos_layaway_status'] as const),
      ...(['order_currency_code', 'grand_total', 'total_due'] as const),
    )) {
      const [payment] = await paymentsOf(found.entity_id, 'method');
      orders.push({
        ...{ ext_order_id: found.ext_order_id, state: found.state, layaway: found.pos_layaway_status },
        ...{ method: payment?.method, currency: found.order_currency_code },
        ...{ total: Number(found.grand_total), due: Number(found.total_due) },
      });
    }

    expect(orders.toSorted((a, b) => (a.ext_order_id < b.ext_order_id ? -1 : 1))).toEqual([
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
    const promised: Record<string, number> = {};
    for (const { sku, quantity } of await find('inventory_reservation', {}, 'sku', 'quantity'))
      promised[sku] = (promised[sku] ?? 0) + Number(quantity);
    expect(Object.entries(promised).filter(([, pieces]) => pieces !== 0)).toEqual([['LAMP-DESK', -2]]);
  });

  test('one customer has store credit, given once', async () => {
    const wallet = await findOne('store_credit_wallet', {}, 'wallet_id', 'customer_id', 'amount', 'base_currency_code');
    expect(wallet).toMatchObject({ amount: '25.0000', base_currency_code: 'USD' });
    expect(await theCustomer(wallet.customer_id, 'email')).toEqual({ email: 'grace@demo.example' });
    expect(await howMany('store_credit_entry')).toBe(1);
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
      await Promise.all(['pos_staff', 'customer', 'admin_user', 'config_value'].map((table) => find(table))),
    );

    expect(await howMany('pos_staff')).toBe(credentials.staff.length);
    expect(await howMany('customer')).toBe(credentials.customers.length);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  test('every register has an unused code and a license', async () => {
    expect(await find('pos_terminal', {}, 'name', 'activation_code', 'activation_used_at')).toEqual(
      credentials.terminals.map(({ name, activationCode }) => ({
        name,
        activation_code: activationCode,
        activation_used_at: null,
      })),
    );
    const licenses = (await find('pos_terminal', {}, 'license_id')).map(({ license_id: id }) => id);
    for (const id of licenses)
      expect(await findOne('pos_license', { license_id: id }, 'license_type')).toEqual({ license_type: 'pro' });
  });

  test('carts can be added up: taxes where its customers live, and a coupon', async () => {
    const taxes = await find('tax_rate', {}, 'country_id', 'region_id', 'percent');
    expect(new Set(taxes.map((tax) => [tax.country_id, tax.region_id, Number(tax.percent)]))).toEqual(
      new Set([
        ['CA', 74, 13],
        ['DE', 0, 19],
        ['US', 43, 8],
      ]),
    );
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

  test('it is as its file says: whoever applies the file again changes nothing', async () => {
    const { text } = await applyShopFile(commandContextOf(orm), 'local/demo-shop/shop.yaml', { dryRun: true });
    expect(text).toBe('The shop is as the file says: nothing to change.');
  });

  test('a second seed changes nothing, and neither do eight at once', async () => {
    const before = await everything(books);

    const results = await eightAtOnce(seedApart);

    expect(new Set(results)).toEqual(new Set(['there already']));
    expect(await everything(books)).toEqual(before);
  });

  test('a seed that broke off is completed and doubles nothing', async () => {
    const before = await everything(books);
    await fork().nativeDelete(ConfigValue, { path: 'demo_shop/general/seeded' });

    expect(await seedDemoShop(orm, secretKey)).toBe('seeded');

    const { config_value: _settings, ...after } = await everything(books);
    const { config_value: _before, ...expected } = before;
    expect(after).toEqual(expected);
  });

  test('a database with orders of its own is left alone', async () => {
    const own = await testDatabaseUrl();
    const ownOrm = await createOrm(own);
    try {
      await aShop(ownOrm.em.fork());
      await anOrder(ownOrm.em.fork());

      expect(await seedDemoShop(ownOrm, secretKey)).toBe('left alone');
      expect(await booksOf(() => ownOrm).howMany('product')).toBe(3);
    } finally {
      await ownOrm.close();
    }
  });
});
