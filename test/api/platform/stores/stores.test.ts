import { beforeAll, describe, expect, test } from '@jest/globals';
import { aShop } from '../../../support/builders/shop.ts';
import { useApi } from '../../../support/fixtures.ts';

describe('stores', () => {
  const api = useApi({ settings: { PUBLIC_BASE_URL: 'https://shop.example' } });

  beforeAll(() => aShop(api.orm.em.fork()));

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
});

describe('unknown owners', () => {
  /** What belongs to a customer group or a website that is not there is refused; the same one twice counts once. */
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  const send = (method: string, path: string, body?: object) =>
    api.call(method, `/V1/${path}`, { token: api.tokens.admin, ...(body ? { body } : {}) });
  const tiers = (customer_group_id: number) => ({
    product: { tier_prices: [{ customer_group_id, qty: 2, value: 40 }] },
  });
  const invalid = (fieldName: string, value: number) => ({
    status: 400,
    body: {
      message: 'Invalid value of "%value" provided for the %fieldName field.',
      parameters: { fieldName, value },
    },
  });

  test('a tier price is of a group that is there, or of all', async () => {
    expect(await send('PUT', 'products/MUG', tiers(2))).toMatchObject({ status: 200 });
    expect(await send('PUT', 'products/MUG', tiers(99))).toMatchObject(invalid('customer_group_id', 99));
    expect((await send('GET', 'products/MUG')).body.tier_prices).toMatchObject([{ customer_group_id: 2 }]);
    expect(await send('PUT', 'products/MUG', tiers(32_000))).toMatchObject({ status: 200 });
  });

  test.each([
    [{ website_ids: [1, 77] }, 'website_ids', 77],
    [{ website_ids: [0] }, 'website_ids', 0],
    [{ customer_group_ids: [1, 99] }, 'customer_group_ids', 99],
    [{ customer_group_ids: [1, 32_000] }, 'customer_group_ids', 32_000],
  ])('a promotion with %j is refused, new or changed', async (over, fieldName, value) => {
    const rule = { name: 'Spring', website_ids: [1], customer_group_ids: [1], discount_amount: 5 };
    expect(await send('POST', 'salesRules', { rule: { ...rule, ...over } })).toMatchObject(invalid(fieldName, value));
    const { body } = await send('POST', 'salesRules', { rule });
    expect(await send('PUT', `salesRules/${body.rule_id}`, { rule: over })).toMatchObject(invalid(fieldName, value));
    const { body: kept } = await send('GET', `salesRules/${body.rule_id}`);
    expect(kept).toMatchObject({ website_ids: [1], customer_group_ids: [1] });
  });

  test('a promotion keeps a website and a group once, however often they are named', async () => {
    const rule = { name: 'Spring', website_ids: [1, 1], customer_group_ids: [1, 2, 1], discount_amount: 5 };
    const { status, body } = await send('POST', 'salesRules', { rule });
    expect({ status, body }).toMatchObject({ status: 200, body: { website_ids: [1], customer_group_ids: [1, 2] } });
    const changed = await send('PUT', `salesRules/${body.rule_id}`, { rule: { customer_group_ids: [2, 2] } });
    expect(changed.body).toMatchObject({ website_ids: [1], customer_group_ids: [2] });
  });

  test('a group is kept from websites that are there', async () => {
    const group = (...exclude_website_ids: number[]) => ({
      group: { code: 'Club', extension_attributes: { exclude_website_ids } },
    });
    expect(await send('POST', 'customerGroups', group(77))).toMatchObject(invalid('exclude_website_ids', 77));
    const { status, body } = await send('POST', 'customerGroups', group(1));
    expect(status).toBe(200);
    expect(await send('PUT', `customerGroups/${body.id}`, group(1, 77))).toMatchObject(
      invalid('exclude_website_ids', 77),
    );
    const twice = await send('PUT', `customerGroups/${body.id}`, group(1, 1));
    expect(twice.body.extension_attributes).toMatchObject({ exclude_website_ids: [1] });
  });
});
