import { expect, test } from 'vitest';
import { Location } from '../../../db/locations/location.entity.ts';
import { resolvables } from '../../../domain/configuration/resolvables.ts';
import { aStaffMember, aTerminal, quickHash } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, api, shop, set, ask, configOf } from './configured-terminals.ts';

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

test('it takes at most seven statements, and no more for more staff', async () => {
  const { terminalId } = await aTerminal(fork(), { locationId: shop.locationId });
  // What is known of the place is read anew after a change.
  await aStaffMember(fork());
  const few = await statementsOf(() => configOf(terminalId));
  for (let more = 0; more < 10; more++) await aStaffMember(fork());

  const many = await statementsOf(() => configOf(terminalId));
  expect(Math.min(few, many)).toBeGreaterThan(3);
  expect(Math.max(few, many)).toBeLessThanOrEqual(7);
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
