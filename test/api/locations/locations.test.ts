import { beforeAll, describe, expect, test } from '@jest/globals';
import { Location } from '../../../db/locations/location.entity.ts';
import { StoreView, Website } from '../../../db/platform/stores/store.entity.ts';
import { booksOf } from '../../support/books.ts';
import { aStaffMember, aTerminal } from '../../support/builders/counter.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import {
  aLocation,
  api,
  create,
  everyField,
  inOrder,
  manager,
  opensAShop,
  overrides,
  read,
  remove,
  trail,
  update,
} from './saved-locations.ts';

describe('get location', () => {
  const api = useApi();
  let locationId: number;

  beforeAll(async () => {
    ({ locationId } = await aShop(api.orm.em.fork()));
    const em = api.orm.em.fork();
    em.create(Location, { name: 'Airport', code: 'airport/2', websiteId: 1, layawayDepositMinPercent: '12.5' });
    await em.flush();
  });

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
    const { body } = await get(
      '?searchCriteria[sortOrders][0][field]=name&searchCriteria[sortOrders][0][direction]=ASC',
    );
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
});

describe('save location', () => {
  opensAShop();

  const books = booksOf(() => api.orm);
  const { theTerminal, fork, find } = books;

  test('a location takes every field, and null in an override inherits again', async () => {
    const { status, body } = await create({ name: 'Quay', code: 'quay', ...everyField });
    expect(status).toBe(200);
    expect(body).toEqual({
      location_id: expect.any(Number),
      name: 'Quay',
      code: 'quay',
      ...everyField,
      config_overrides: {},
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await read(body.location_id)).body).toEqual(body);
    expect((await update(body.location_id, overrides)).body).toEqual({
      ...body,
      ...overrides,
      updated_at: expect.any(String),
    });
  });

  test('settings beyond its fields can be read back by those who manage locations, and only by them', async () => {
    const own = { auto_print: 'receipt', custom_sale_sku: 'MISC' };
    const location = await aLocation({ config_overrides: own });
    const seenBy = async (token: string) =>
      Promise.all(
        [`/${location.location_id}`, `/code/${location.code}`].map(
          async (path) => (await api.call('GET', `/V1/pos/locations${path}`, { token })).body.config_overrides,
        ),
      );

    expect(location.config_overrides).toEqual(own);
    expect(await seenBy(manager)).toEqual([own, own]);
    expect(await seenBy(api.tokens.register)).toEqual([undefined, undefined]);
    expect((await update(location.location_id, { config_overrides: {} })).body.config_overrides).toEqual({});
  });

  test.each([
    [{ customSaleSku: 'MISC' }, '"customSaleSku" is not a setting of config_overrides'],
    [{ low_stock_threshold: 'few' }, '"low_stock_threshold" of config_overrides takes a whole number'],
  ])('settings such as %j are refused by name', async (config_overrides, why) => {
    const refused = { status: 400, body: { message: 'Could not save the location: %1', parameters: [why] } };
    const location = await aLocation();
    expect(await update(location.location_id, { config_overrides })).toMatchObject(refused);
    expect(await create({ name: 'Odd', code: 'odd', config_overrides })).toMatchObject(refused);
    expect((await read(location.location_id)).body.config_overrides).toEqual({});
  });

  test('a change keeps absent fields, in either spelling, and an answer can be sent back', async () => {
    const location = await aLocation({ receiptHeader: 'Hello', lowStockThreshold: '4' });
    expect(location).toMatchObject({ receipt_header: 'Hello', low_stock_threshold: 4, is_active: true, use_msi: null });

    const { body } = await update(location.location_id, { receiptFooter: 'Bye' });
    expect(body).toEqual({ ...location, receipt_footer: 'Bye', updated_at: expect.any(String) });
    expect((await update(location.location_id, body)).body).toEqual(body);
  });

  test('what the server assigns stays its own', async () => {
    const location = await aLocation({ location_id: 4_711, created_at: '2020-01-01 00:00:00' });
    expect(location.location_id).not.toBe(4_711);
    expect(location.created_at).not.toBe('2020-01-01 00:00:00');

    const other = await aLocation();
    const { body } = await update(location.location_id, { location_id: other.location_id, name: 'Mine' });
    expect(body).toMatchObject({ location_id: location.location_id, name: 'Mine' });
    expect((await read(other.location_id)).body).toEqual(other);
  });

  test.each([
    [{ code: 'x' }, 'a location needs a name'],
    [{ name: ' ', code: 'x' }, 'a location needs a name'],
    [{ name: 'X' }, 'a location needs a code'],
    [{ name: 'X', code: 'high-street' }, 'another location has this code'],
    [{ name: 'X', code: 'x', website_id: 99 }, 'the website does not exist'],
    [{ name: 'X', code: 'x', store_view_id: 99 }, 'the store view is not one of the website'],
    [{ name: 'X', code: 'x', source_code: 'moon' }, 'the source does not exist'],
    [{ name: 'X', code: 'x', damaged_stock_source_code: 'moon' }, 'the source does not exist'],
    [{ name: 'X', code: 'x', country_id: 'XX' }, 'the country does not exist'],
    [{ name: 'X', code: 'x', layaway_deposit_min_percent: 100.0001 }, expect.stringContaining('percentage')],
    [{ name: 'X', code: 'x', low_stock_threshold: -1 }, expect.stringContaining('below zero')],
    [{ name: 'X', code: 'x', time_zone: 'Europe/Atlantis' }, expect.stringContaining('time zone')],
    [{ name: 'X', code: 'x', time_zone: '+02:00' }, expect.stringContaining('time zone')],
  ])('%j is not saved: %s', async (location, why) => {
    expect(await create(location)).toMatchObject({
      status: 400,
      body: { message: 'Could not save the location: %1', parameters: [why] },
    });
    expect(await trail()).toEqual([]);
  });

  test('a location cannot move to a website its store view is not of', async () => {
    const em = fork();
    em.create(Website, { websiteId: 5, code: 'eu', name: 'EU', defaultGroupId: 5, baseCurrencyCode: 'EUR' });
    em.create(StoreView, { storeId: 9, websiteId: 5, storeGroupId: 5, code: 'eu', name: 'EU', currencyCode: 'EUR' });
    await em.flush();
    const location = await aLocation({ website_id: 1, store_view_id: 2 });
    expect((await update(location.location_id, { store_view_id: 9 })).status).toBe(400);
    expect((await update(location.location_id, { store_view_id: 1 })).status).toBe(200);
  });

  test('unknown keys, texts that are too long and invalid numbers are refused', async () => {
    expect((await create({ name: 'X', code: 'x', passcode: '1' })).status).toBe(400);
    expect((await create({ name: 'X'.repeat(256), code: 'x' })).status).toBe(400);
    expect((await create({ name: 'X', code: 'x'.repeat(65) })).status).toBe(400);
    expect((await create({ name: 'X', code: 'x', low_stock_threshold: 'few' })).status).toBe(400);
    expect((await create('X')).status).toBe(400);
  });

  test('an unknown location is not found, a register may not write', async () => {
    const missing = {
      status: 404,
      body: { message: 'Location with id %1 does not exist', parameters: [99_999] },
    };
    expect(await update(99_999, { name: 'X' })).toMatchObject(missing);
    expect(await remove(99_999)).toMatchObject(missing);
    expect((await create({ name: 'X', code: 'x' }, api.tokens.register)).status).toBe(401);
    expect((await update(1, { name: 'X' }, api.tokens.register)).status).toBe(401);
  });

  test('eight of one code at once: one is saved, seven are told that it is taken', async () => {
    const answers = await eightAtOnce(() => create({ name: 'Rush', code: 'rush' }));
    expect(inOrder(answers)).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
    expect(await trail()).toHaveLength(7);
  });

  test('each changed field leaves a line with its old and new value and who changed it', async () => {
    const location = await aLocation({ phone: '1' });
    await books.remove('pos_audit_log');
    await update(location.location_id, { phone: '2', receipt_footer: 'Bye', is_active: true }, api.tokens.admin);
    await update(location.location_id, { phone: '2' });
    await update(location.location_id, { use_msi: true });

    const common = { entity_type: 'location', entity_id: String(location.location_id), entity_name: 'Riverside' };
    const byAdmin = { ...common, change_source: 'admin', staff_name: 'test-admin' };
    expect(await trail()).toEqual(
      expect.arrayContaining([
        { ...byAdmin, field_name: 'phone', old_value: '1', new_value: '2' },
        { ...byAdmin, field_name: 'receipt_footer', old_value: null, new_value: 'Bye' },
      ]),
    );
    expect((await trail()).slice(2)).toEqual([
      {
        ...common,
        change_source: 'api',
        staff_name: expect.stringMatching(/^test \d+$/),
        field_name: 'use_msi',
        old_value: null,
        new_value: 'true',
      },
    ]);
  });

  test('a location that is gone leaves its terminals and its staff behind, and lines for all of it', async () => {
    const location = await aLocation();
    const { terminalId } = await aTerminal(fork(), { locationId: location.location_id });
    const member = await aStaffMember(fork(), { allLocations: false, locationIds: [location.location_id] });
    await books.remove('pos_audit_log');

    expect(await remove(location.location_id)).toMatchObject({ status: 200, body: true });
    expect((await remove(location.location_id)).status).toBe(404);
    expect((await read(location.location_id)).status).toBe(404);
    expect(await theTerminal(terminalId, 'location_id')).toEqual({ location_id: null });
    expect(await find('pos_staff_location', { staff_id: member.staffId })).toEqual([]);
    expect(await trail()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          entity_type: 'location',
          field_name: 'code',
          old_value: location.code,
          new_value: null,
        }),
        expect.objectContaining({
          entity_type: 'terminal',
          entity_id: String(terminalId),
          field_name: 'location_id',
          old_value: String(location.location_id),
          new_value: null,
        }),
        expect.objectContaining({
          entity_type: 'staff',
          entity_id: String(member.staffId),
          field_name: 'location_id',
          old_value: String(location.location_id),
          new_value: null,
        }),
      ]),
    );
  });

  test('a location where a return is open stays, and says who is there, until the return is over', async () => {
    const { location_id: locationId } = await aLocation();
    await aTerminal(fork(), { locationId });
    await aStaffMember(fork(), { allLocations: false, locationIds: [locationId] });
    const { returnId } = await aReturn(api.orm, { locationId });
    const refused = {
      status: 400,
      body: {
        message: 'Could not delete the location: %1',
        parameters: [
          'returns are open there (1); settle or close them first. Also there: terminals (1), members of staff (1)',
        ],
      },
    };

    expect(await remove(locationId)).toMatchObject(refused);
    expect(await remove(locationId)).toMatchObject(refused);
    expect((await read(locationId)).status).toBe(200);
    await books.change('sale_return', { return_id: returnId }, { status: 'closed' });
    expect(await remove(locationId)).toMatchObject({ status: 200, body: true });
  });

  test('eight deletions at once delete once', async () => {
    const location = await aLocation();
    await aTerminal(fork(), { locationId: location.location_id });
    const answers = await eightAtOnce(() => remove(location.location_id));
    expect(inOrder(answers)).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
  });
});
