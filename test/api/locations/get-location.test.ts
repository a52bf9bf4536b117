import { afterAll, beforeAll, expect, test } from 'vitest';
import { Location } from '../../../db/locations/location.entity.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';

let api: TestApi;
let locationId: number;

beforeAll(async () => {
  api = await testApi();
  ({ locationId } = await aShop(api.orm.em.fork()));
  const em = api.orm.em.fork();
  em.create(Location, { name: 'Airport', code: 'airport/2', websiteId: 1, layawayDepositMinPercent: '12.5' });
  await em.flush();
});
afterAll(() => api.close());

const get = (path: string) => api.call('GET', `/V1/pos/locations${path}`, { token: api.tokens.register });

test('a location is found by id and by code, with its overrides or null where it inherits', async () => {
  const { status, body } = await get(`/${locationId}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    location_id: locationId,
    name: 'High Street',
    code: 'high-street',
    website_id: 1,
    source_code: 'floor',
    damaged_stock_source_code: 'damaged',
    is_active: true,
    use_msi: null,
    vat_number: null,
    layaway_deposit_min_percent: null,
  });
  expect((await get('/code/high-street')).body).toEqual(body);
  expect((await get('/code/airport%2F2')).body).toMatchObject({ layaway_deposit_min_percent: 12.5 });
});

test('an unknown id or code is a 404 that names it', async () => {
  expect(await get('/99999')).toMatchObject({
    status: 404,
    body: { message: 'Location with id %1 does not exist', parameters: [99_999] },
  });
  expect(await get('/code/nowhere')).toMatchObject({
    status: 404,
    body: { message: 'Location with code %1 does not exist', parameters: ['nowhere'] },
  });
});

test('locations are listed with the platform’s criteria', async () => {
  expect((await get('?searchCriteria[pageSize]=100')).body).toMatchObject({
    items: [{ code: 'high-street' }, { code: 'airport/2' }],
    search_criteria: { page_size: 100 },
    total_count: 2,
  });
  expect((await get('')).body.total_count).toBe(2);
  const { body } = await get('?searchCriteria[sortOrders][0][field]=name&searchCriteria[sortOrders][0][direction]=ASC');
  expect(body.items.map((location: { name: string }) => location.name)).toEqual(['Airport', 'High Street']);
  expect(Object.keys(body.items[0])).not.toContain('search_total');
  expect(Object.keys(body.items[0])).not.toContain('config_overrides');
});

test('a location is found by each of its fields, also by the ones it leaves empty', async () => {
  const { body: location } = await get('/code/airport%2F2');
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const found = (field: string, value: string | number | boolean | null) =>
    get(
      value === null
        ? `?${filter}[field]=${field}&${filter}[condition_type]=null`
        : `?${filter}[field]=${field}&${filter}[value]=${encodeURIComponent(value)}`,
    );
  for (const [field, value] of Object.entries<string | number | boolean | null>(location)) {
    const { status, body } = await found(field, value);
    expect([field, status]).toEqual([field, 200]);
    expect(body.items).toContainEqual(location);
  }
  expect((await found('config_overrides', '{}')).status).toBe(400);
});
