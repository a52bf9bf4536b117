import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { Location } from '../../../db/locations/location.entity.ts';
import { OrderStatus, OrderStatusState } from '../../../db/platform/orders/order-parts.entity.ts';
import { enforcementFlags } from '../../../domain/configuration/setting-defaults.ts';
import { resolvables } from '../../../domain/configuration/resolvables.ts';
import { postcodePatterns, regionsOf } from '../../../domain/platform/directory.ts';
import { testApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aStaffMember, aTerminal, quickHash, secretBox, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { api, ask, configOf, opensAShop, set, shop } from './configured-terminals.ts';
import { useApi } from '../../support/fixtures.ts';

describe('config of location', () => {
  opensAShop();

  const { fork } = booksOf(() => api.orm);

  test('what a location says of its own holds at its registers, field by field, and null inherits', async () => {
    const own = {
      payment_methods: 'checkmo',
      card_payment_provider: 'provider_a',
      allow_store_credit: 0,
      low_stock_threshold: 77,
      use_msi: false,
      receipt_header: 'Quay',
      receipt_footer: 'Mind the gap',
      receipt_show_staff_name: false,
      receipt_show_order_number: false,
      receipt_logo_size: 12,
      receipt_store_info_placement: 'footer',
      vat_number: 'VAT 1',
      layaway_deposit_min_percent: 12.5,
      layaway_expiry_days: 7,
      layaway_cancellation_fee_percent: 3,
      pickup_completed_status_code: 'closed',
    };
    const token = await api.tokenFor('Vendor_Pos::locations_manage');
    const save = async (method: string, path: string, location: object) =>
      (await api.call(method, `/V1/pos/locations${path}`, { token, body: { location } })).body.location_id;
    await set('vendor_pos_lock/enforcement/receipt_header', '0', 'websites', 1);
    const locationId = await save('POST', '', { name: 'Quay', code: 'quay' });
    const { terminalId } = await aTerminal(fork(), { locationId });
    const inherited = (await configOf(terminalId)).resolved_config;
    for (const [key, value] of Object.entries(own)) {
      await save('PUT', `/${locationId}`, { [key]: value });
      expect([key, (await configOf(terminalId)).resolved_config]).toEqual([key, { ...inherited, [key]: value }]);
      await save('PUT', `/${locationId}`, { [key]: null });
    }
    expect((await configOf(terminalId)).resolved_config).toEqual(inherited);
  });

  test('the address is the store view’s where the location says so', async () => {
    const em = fork();
    const location = em.create(Location, {
      name: 'Toronto',
      code: 'toronto',
      websiteId: 1,
      storeViewId: 2,
      street: 'Queen Street 1',
      phone: '111',
      addressUseStoreview: true,
    });
    await em.flush();
    await set('general/store_information/street_line1', 'King Street 2', 'stores', 2);
    await set('general/store_information/city', 'Toronto', 'stores', 2);
    const { terminalId } = await aTerminal(fork(), { locationId: location.locationId });

    expect((await configOf(terminalId)).location).toMatchObject({
      street: 'King Street 2',
      city: 'Toronto',
      phone: '111',
    });
  });

  test('the region belongs to its own address', async () => {
    const em = fork();
    const ofPlace = { city: 'Troy', region: 'New York', regionId: 43 };
    const location = em.create(Location, {
      ...{ name: 'Border', code: 'border', websiteId: 1, storeViewId: 2, addressUseStoreview: true },
      ...ofPlace,
    });
    await em.flush();
    const { terminalId } = await aTerminal(fork(), { locationId: location.locationId });
    const address = async () => {
      const { city, region, region_id: regionId } = (await configOf(terminalId)).location;
      return { city, region, regionId };
    };
    const ontario = regionsOf('CA').find(({ name }) => name === 'Ontario')!;
    const parts = ['city', 'postcode', 'country_id', 'region_id', 'street_line1'];
    for (const part of parts) await set(`general/store_information/${part}`, '', 'stores', 2);
    await set('general/store_information/phone', '222', 'stores', 2);
    expect(await address()).toEqual(ofPlace);

    await set('general/store_information/city', 'Toronto', 'stores', 2);
    expect(await address()).toEqual({ city: 'Toronto', region: null, regionId: null });

    await set('general/store_information/region_id', String(ontario.regionId), 'stores', 2);
    expect(await address()).toEqual({ city: 'Toronto', region: 'Ontario', regionId: ontario.regionId });
  });
});

describe('directory', () => {
  const api = useApi();

  const { fork, change } = booksOf(() => api.orm);

  const get = (path: string) => api.call('GET', path, { token: api.tokens.register });

  test('every order status is listed, a merchant’s own included', async () => {
    const em = fork();
    em.create(OrderStatus, { status: 'ready_for_pickup', label: 'Ready for pickup' });
    await em.flush();
    const { status, body } = await get('/V1/pos/order-statuses');
    expect(status).toBe(200);
    expect(body).toHaveLength(10);
    expect(body).toEqual(
      expect.arrayContaining([
        { status: 'complete', label: 'Complete', states: ['complete'], is_default: true },
        { status: 'fraud', label: 'Suspected Fraud', states: ['payment_review', 'processing'], is_default: false },
        { status: 'ready_for_pickup', label: 'Ready for pickup', states: [], is_default: false },
      ]),
    );
  });

  test('a merchant’s own status is listed under its states, and marked where it is a state’s default', async () => {
    const em = fork();
    em.create(OrderStatus, { status: 'a_packed', label: 'A packed' });
    for (const state of ['processing', 'complete'] as const)
      em.create(OrderStatusState, { status: 'a_packed', state, isDefault: false });
    await em.flush();
    const first = async () => (await get('/V1/pos/order-statuses')).body[0];
    expect(await first()).toEqual({
      status: 'a_packed',
      label: 'A packed',
      states: ['complete', 'processing'],
      is_default: false,
    });

    await change('sales_order_status_state', { state: 'complete' }, { is_default: false });
    await change('sales_order_status_state', { state: 'complete', status: 'a_packed' }, { is_default: true });
    expect(await first()).toMatchObject({ is_default: true });
  });

  test('postcode patterns are a JSON text in JSON, by country', async () => {
    const { status, body } = await get('/V1/pos/postcode-patterns');
    expect(status).toBe(200);
    expect(typeof body).toBe('string');
    const patterns = JSON.parse(body);
    expect(patterns).toEqual(postcodePatterns);
    expect(patterns.US).toEqual([
      { pattern: '^[0-9]{5}$', example: '12345' },
      { pattern: '^[0-9]{5}-[0-9]{4}$', example: '12345-6789' },
    ]);
  });

  test('a country without postcodes has no rule', async () => {
    const patterns = JSON.parse((await get('/V1/pos/postcode-patterns')).body);
    expect(['AE', 'BS', 'HK', 'QA', 'ZW'].filter((country) => country in patterns)).toEqual([]);
    expect(Object.values<unknown[]>(patterns).filter((rules) => rules.length === 0)).toEqual([]);
  });
});

describe('get config', () => {
  const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });

  beforeAll(() => aShop(api.orm.em.fork()));

  const { insert } = booksOf(() => api.orm);
  const set = (path: string, value: string, scope?: 'websites' | 'stores', scopeId = 0) =>
    setConfigValue(api.orm.em.fork(), secretBox, { path, value, ...(scope ? { scope, scopeId } : {}) });
  const config = async (path = '/V1/pos/config') =>
    JSON.parse((await api.call('GET', path, { token: api.tokens.register })).body);

  test('a shop is connected where it has a license service, as in the answer to a refresh', async () => {
    const connected = await testApi({
      settings: { POS_SECRET_KEY: secretKey, LICENSE_SERVICE_URL: 'http://127.0.0.1:9' },
    });
    const { body } = await connected.call('GET', '/V1/pos/config', { token: connected.tokens.register });
    await connected.close();

    expect([JSON.parse(body).license, (await config()).license]).toEqual([{ connected: true }, { connected: false }]);
  });

  test('the global config is a JSON text in JSON, and is never stored', async () => {
    const { status, body, headers } = await api.call('GET', '/V1/pos/config', { token: api.tokens.register });

    expect(status).toBe(200);
    expect(typeof body).toBe('string');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.parse(body)).toMatchObject({ module_version: '1.3.0', enabled: true });
  });

  test('it has every key of the interface, with the platform’s defaults', async () => {
    expect(await config()).toEqual(JSON.parse(readFileSync(new URL('default-config.json', import.meta.url), 'utf8')));
  });

  test('every lock is a string, 1 where a website sets it', async () => {
    await set('vendor_pos_lock/enforcement/use_msi', '1', 'websites', 1);
    const { enforcement } = await config();

    expect(Object.keys(enforcement)).toEqual([...enforcementFlags]);
    expect(enforcement).toMatchObject({ use_msi: '1', tax_settings: '0' });
  });

  test('the store view of the path decides, down to the website and the default', async () => {
    await set('vendor_pos_terminal/receipt/footer', 'shop');
    await set('vendor_pos_terminal/receipt/footer', 'canada', 'stores', 2);

    expect((await config()).default_receipt_footer).toBe('shop');
    expect((await config('/rest/ca/V1/pos/config')).default_receipt_footer).toBe('canada');
    expect((await config('/rest/all/V1/pos/config')).default_receipt_footer).toBe('shop');
  });

  test('card provider keys are delivered in clear', async () => {
    await set('vendor_pos_terminal/provider_a/api_key', 'key-a');
    await set('vendor_pos_terminal/provider_b/service_secret', 'secret-b');
    const { card_payments: card } = await config();

    expect(card.provider_a.api_key).toBe('key-a');
    expect(card.providers.provider_b.service_secret).toBe('secret-b');
  });

  test('fixed product taxes are the attributes of their input, and are told only while they are on', async () => {
    const attribute = {
      attribute_code: 'eco_fee',
      frontend_input: 'weee',
      default_frontend_label: 'Eco fee',
      frontend_labels: [{ store_id: 2, label: 'Écotaxe' }],
    };
    const token = api.tokens.admin;
    expect((await api.call('POST', '/V1/products/attributes', { token, body: { attribute } })).status).toBe(200);
    await insert('product_attribute', { attribute_code: 'tyre_fee', frontend_input: 'weee' });
    expect((await config()).tax.weee).toMatchObject({ enabled: false, attributes: [] });

    await set('tax/weee/enable', '1');
    expect((await config()).tax.weee).toEqual({
      enabled: true,
      apply_vat: false,
      include_in_subtotal: false,
      display_sales: 1,
      display_product: 1,
      display_list: 1,
      attributes: [
        { code: 'eco_fee', label: 'Eco fee' },
        { code: 'tyre_fee', label: 'tyre_fee' },
      ],
    });
    expect((await config('/rest/ca/V1/pos/config')).tax.weee.attributes[0]).toEqual({
      code: 'eco_fee',
      label: 'Écotaxe',
    });
  });

  test('a caller without the resource gets the platform’s 401', async () => {
    expect(await api.call('GET', '/V1/pos/config', { token: api.tokens.nothing })).toMatchObject({
      status: 401,
      body: {
        message: "The consumer isn't authorized to access %resources.",
        parameters: { resources: 'Vendor_Pos::locations' },
      },
    });
  });
});

describe('get terminal config', () => {
  opensAShop();

  const { fork, remove } = booksOf(() => api.orm);
  /** How many statements the database ran for it: outside a transaction each asks for a connection of its own. */
  async function statementsOf(work: () => Promise<unknown>): Promise<number> {
    const pool = await api.orm.em.getConnection().getNativeClient();
    let count = 0;
    const notice = () => void count++;
    pool.on('acquire', notice);
    await work();
    pool.off('acquire', notice);
    return count;
  }

  test('the whole payload is a JSON text in JSON, never stored, with the parts of the interface', async () => {
    const { terminalId, deviceIdentifier } = await aTerminal(fork(), { locationId: shop.locationId });
    const { status, body, headers } = await ask(terminalId);
    const payload = JSON.parse(body);

    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(payload)).toEqual([
      'terminal',
      'license',
      'config',
      'location',
      'resolved_config',
      'staff',
      'roles',
    ]);
    expect(payload.terminal).toMatchObject({
      terminal_id: terminalId,
      device_identifier: deviceIdentifier,
      location_id: shop.locationId,
      license_id: payload.license.license_id,
      license_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      license_status: 'active',
      license_type: 'pro',
      license_expires_at: null,
      fiscal_tss_id: null,
      fiscal_api_key: null,
    });
    expect(payload.terminal).not.toHaveProperty('activation_code');
    expect(payload.license).toMatchObject({ license_type: 'pro', license_token: payload.terminal.license_token });
    expect(payload.location).toMatchObject({ location_id: shop.locationId, code: 'high-street' });
    expect(payload.config).toEqual(
      JSON.parse((await api.call('GET', '/V1/pos/config', { token: api.tokens.register })).body),
    );
    expect(Object.keys(payload.resolved_config)).toEqual(Object.keys(resolvables));
  });

  test('the selected validators are not answered, whether the shop or the location chose them', async () => {
    const em = fork();
    const choosy = em.create(Location, {
      name: 'Choosy',
      code: 'choosy',
      websiteId: 1,
      customerValidators: 'chosen_vat',
    });
    await em.flush();
    const { terminalId } = await aTerminal(fork(), { locationId: choosy.locationId });
    await set('vendor_pos_terminal/customers/validators', 'chosen_phone');
    expect((await ask(terminalId)).body).not.toMatch(/validators|chosen_/);
  });

  test('it tells who works there, active and assigned or everywhere, with their roles and without any hash', async () => {
    const em = fork();
    const elsewhere = em.create(Location, { name: 'Warehouse', code: 'warehouse', websiteId: 1 });
    await em.flush();
    const { terminalId } = await aTerminal(fork(), { locationId: shop.locationId });
    const everywhere = await aStaffMember(fork());
    const here = await aStaffMember(fork(), { allLocations: false, locationIds: [shop.locationId] });
    const hash = quickHash('canary');
    const same = await aStaffMember(fork(), { roleId: here.roleId, passcodeHash: hash });
    await aStaffMember(fork(), { isActive: false });
    await aStaffMember(fork(), { allLocations: false, locationIds: [elsewhere.locationId] });

    const { body } = await ask(terminalId);
    const payload = JSON.parse(body);

    expect(payload.staff.map((member: { staff_id: number }) => member.staff_id)).toEqual([
      everywhere.staffId,
      here.staffId,
      same.staffId,
    ]);
    expect(payload.roles.map((role: { role_id: number }) => role.role_id)).toEqual([everywhere.roleId, here.roleId]);
    expect(payload.staff[0]).toEqual({
      staff_id: everywhere.staffId,
      staff_code: everywhere.staffCode,
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: everywhere.email,
      passcode_updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      role_id: everywhere.roleId,
      all_locations: true,
      is_active: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(payload.roles[0].permissions).toBe('{"place_orders":true}');
    expect(body).not.toContain(hash);
    expect(body).not.toContain('passcode_hash');
  });

  test('a terminal’s own value wins over its location’s, and a lock over both', async () => {
    const em = fork();
    const location = await em.findOneOrFail(Location, { locationId: shop.locationId });
    location.receiptHeader = 'High Street';
    location.lowStockThreshold = 9;
    location.configOverrides = { pickup_queue_filter: 'ready' };
    await em.flush();
    const { terminalId } = await aTerminal(fork(), {
      locationId: shop.locationId,
      configOverrides: { receipt_header: 'Till 1', card_payment_provider: 'provider_b' },
    });

    expect((await configOf(terminalId)).resolved_config).toMatchObject({
      receipt_header: 'Till 1',
      card_payment_provider: 'provider_b',
      low_stock_threshold: 9,
      pickup_queue_filter: 'ready',
      layaway_expiry_days: 30,
      use_msi: true,
    });

    await set('vendor_pos_lock/enforcement/receipt_header', '1', 'websites', 1);
    await set('vendor_pos_terminal/receipt/header', 'Main office', 'websites', 1);
    expect((await configOf(terminalId)).resolved_config.receipt_header).toBe('Main office');
  });

  test('a terminal whose location was deleted has none, and no license is null', async () => {
    const em = fork();
    const gone = em.create(Location, { name: 'Kiosk', code: 'kiosk', websiteId: 1 });
    await em.flush();
    const { terminalId } = await aTerminal(fork(), { locationId: gone.locationId, license: 'none' });
    await remove('pos_location', { location_id: gone.locationId });

    expect(await configOf(terminalId)).toMatchObject({
      location: null,
      license: null,
      terminal: { location_id: null, license_token: null, license_status: null },
    });
  });

  test('a license past its expiry day is shown as expired', async () => {
    const { terminalId } = await aTerminal(fork(), { expiresAt: new Date('2020-01-01T00:00:00Z') });
    expect((await configOf(terminalId)).terminal).toMatchObject({
      license_status: 'expired',
      license_expires_at: '2020-01-01 00:00:00',
    });
  });

  test('it takes at most eight statements, one to note what the till has now, and no more for more staff', async () => {
    const { terminalId } = await aTerminal(fork(), { locationId: shop.locationId });
    // What is known of the place is read anew after a change.
    await aStaffMember(fork());
    const few = await statementsOf(() => configOf(terminalId));
    for (let more = 0; more < 10; more++) await aStaffMember(fork());

    const many = await statementsOf(() => configOf(terminalId));
    expect(Math.min(few, many)).toBeGreaterThan(3);
    expect(Math.max(few, many)).toBeLessThanOrEqual(8);
  });

  test('an unknown terminal is a 404 that names it', async () => {
    expect(await ask(99_999)).toMatchObject({
      status: 404,
      body: { message: 'Terminal with id %1 does not exist', parameters: [99_999] },
    });
    expect((await ask('-1')).status).toBe(404);
    expect((await ask('9223372036854775808')).status).toBe(404);
    expect((await ask('abc')).status).toBe(400);
  });
});
