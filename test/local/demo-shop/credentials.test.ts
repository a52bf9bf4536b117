import { afterAll, beforeAll, expect, test } from 'vitest';
import { credentials } from '../../../local/demo-shop/credentials.ts';
import { seedDemoShop } from '../../../local/demo-shop/seed.ts';
import { testApi, type TestApi } from '../../support/api.ts';

const secretKey = Buffer.alloc(32, 9).toString('base64');
let api: TestApi;

beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  await seedDemoShop(api.orm, secretKey);
});
afterAll(() => api.close());

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
  const { status, body } = await post('/V1/pos/staff/authenticate', { email, passcode, terminalId: 1 });

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
  const terminal = JSON.parse((await get('/V1/pos/terminals/1/config')).body);

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
