import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;

beforeAll(async () => {
  api = await testApi({ settings: { PUBLIC_BASE_URL: 'https://shop.example' } });
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const get = (path: string) => api.call('GET', path, { token: api.tokens.register });

test('store views and websites are plain lists that begin with the admin scope', async () => {
  expect((await get('/V1/store/storeViews')).body).toEqual([
    { id: 0, code: 'admin', name: 'Admin', website_id: 0, store_group_id: 0, is_active: 1 },
    { id: 1, code: 'default', name: 'Default Store View', website_id: 1, store_group_id: 1, is_active: 1 },
    { id: 2, code: 'ca', name: 'Canada', website_id: 1, store_group_id: 1, is_active: 1 },
  ]);
  expect((await get('/V1/store/websites')).body).toEqual([
    { id: 0, code: 'admin', name: 'Admin', default_group_id: 0 },
    { id: 1, code: 'base', name: 'Main Website', default_group_id: 1 },
  ]);
  expect((await get('/V1/store/storeGroups')).body).toEqual([
    { id: 0, website_id: 0, root_category_id: 0, default_store_id: 0, name: 'Admin', code: 'admin' },
  ]);
});

test('a store view is read by its code or its id', async () => {
  const canada = { id: 2, code: 'ca', name: 'Canada', website_id: 1, store_group_id: 1, is_active: 1 };
  expect((await get('/V1/store/storeViews/ca')).body).toEqual(canada);
  expect((await get('/V1/store/storeViews/2')).body).toEqual(canada);
  expect(await get('/V1/store/storeViews/nowhere')).toMatchObject({
    status: 404,
    body: { message: "The store that was requested wasn't found. Verify the store and try again." },
  });
});

test('settings of store views can be asked for by code', async () => {
  const { body } = await get('/V1/store/storeConfigs?storeCodes[0]=ca&storeCodes[1]=nowhere');

  expect(body).toEqual([
    expect.objectContaining({
      id: 2,
      code: 'ca',
      website_id: 1,
      locale: 'en_US',
      base_currency_code: 'USD',
      default_display_currency_code: 'CAD',
      timezone: 'UTC',
      base_url: 'https://shop.example/',
      secure_base_media_url: 'https://shop.example/media/',
    }),
  ]);
  expect((await get('/V1/store/storeConfigs')).body).toHaveLength(2);
});

test('every caller may read countries and their regions', async () => {
  const { body } = await api.call('GET', '/V1/directory/countries');

  expect(body).toHaveLength(249);
  expect(body.find(({ id }: { id: string }) => id === 'FR')).toEqual({
    id: 'FR',
    two_letter_abbreviation: 'FR',
    three_letter_abbreviation: 'FRA',
    full_name_locale: 'France',
    full_name_english: 'France',
  });
});

test('one country has its regions under the platform’s numbers', async () => {
  const { body } = await api.call('GET', '/V1/directory/countries/US');

  expect(body).toMatchObject({ id: 'US', three_letter_abbreviation: 'USA', full_name_english: 'United States' });
  expect(body.available_regions).toHaveLength(65);
  expect(body.available_regions).toContainEqual({ id: '43', code: 'NY', name: 'New York' });
  expect(await api.call('GET', '/V1/directory/countries/XX')).toMatchObject({
    status: 404,
    body: { message: "The country isn't available." },
  });
});

test('the currency answer knows the rates of the website’s views', async () => {
  const { body } = await api.call('GET', '/rest/ca/V1/directory/currency');

  expect(body).toEqual({
    base_currency_code: 'USD',
    base_currency_symbol: '$',
    default_display_currency_code: 'CAD',
    default_display_currency_symbol: 'CA$',
    available_currency_codes: ['USD', 'CAD'],
    exchange_rates: [
      { currency_to: 'USD', rate: 1 },
      { currency_to: 'CAD', rate: 1.36 },
    ],
  });
});

test('a client learns which modules are there, the point of sale last', async () => {
  const { body } = await api.call('GET', '/V1/modules', { token: api.tokens.admin });
  expect(body).toEqual(expect.arrayContaining(['Magento_Sales', 'Magento_InventoryApi']));
  expect(body.at(-1)).toBe('Vendor_Pos');
  expect(new Set(body).size).toBe(body.length);
});
