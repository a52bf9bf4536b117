import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { permissionKeys } from '../../../domain/staff.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aStaffMember, secretKey } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let api: TestApi;
let manager: string;

beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  manager = await api.tokenFor('Vendor_Pos::staff_roles_manage', 'Vendor_Pos::staff_roles');
});
beforeEach(() => remove('pos_audit_log'));
afterAll(async () => {
  await api.providers.passwords.close();
  await api.close();
});

const { fork, find, remove } = booksOf(() => api.orm);
const call = (method: string, path: string, body?: unknown, token = manager) =>
  api.call(method, `/V1/pos/roles${path}`, { token, ...(body === undefined ? {} : { body }) });
const create = (role: unknown, token = manager) => call('POST', '', { role }, token);
const update = (roleId: number, role: unknown) => call('PUT', `/${roleId}`, { role });
const cashier = JSON.stringify({ place_orders: true, open_cash_drawer: false });
const trail = () => find('pos_audit_log', {}, 'field_name', 'old_value', 'new_value', 'change_source');
const unknown = { status: 404, body: { message: 'Role with id %1 does not exist', parameters: [99_999] } };

test('a role is answered as sent, permissions as text', async () => {
  const { status, body } = await create({ name: 'Cashier', permissions: cashier, isActive: '1' });
  expect(status).toBe(200);
  expect(body).toEqual({
    role_id: expect.any(Number),
    name: 'Cashier',
    permissions: cashier,
    is_active: true,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect((await call('GET', `/${body.role_id}`)).body).toEqual(body);
  expect((await update(body.role_id, { ...body, role_id: 4_711, name: 'Till' })).body).toEqual({
    ...body,
    name: 'Till',
    updated_at: expect.any(String),
  });
  expect((await update(body.role_id, { is_active: false })).body).toMatchObject({ name: 'Till', permissions: cashier });
});

test('every permission there is can be given, and the legacy one kept', async () => {
  const permissions = JSON.stringify(
    Object.fromEntries([...permissionKeys, 'configure_hardware'].map((key) => [key, true])),
  );
  expect((await create({ name: 'Everything', permissions })).body).toMatchObject({ permissions });
  expect((await create({ name: 'Nothing' })).body).toMatchObject({ permissions: '{}' });
});

test.each([
  ['{"configure_hardware":true}', { settings_scanner: true, settings_printers: true, settings_payment_terminal: true }],
  [
    '{"configure_hardware":true,"settings_printers":false}',
    { settings_scanner: true, settings_printers: false, settings_payment_terminal: true },
  ],
  ['{"configure_hardware":false}', {}],
])('the legacy %s also grants what took its place, where the role says nothing else of it', async (legacy, granted) => {
  const expected = { ...JSON.parse(legacy), ...granted };
  const { body } = await create({ name: 'Old role', permissions: legacy });
  expect(JSON.parse(body.permissions)).toEqual(expected);

  const other = (await create({ name: 'Newer role' })).body;
  expect(JSON.parse((await update(other.role_id, { permissions: legacy })).body.permissions)).toEqual(expected);
  expect((await update(body.role_id, body)).body.permissions).toBe(body.permissions);
});

test.each([
  [{ name: 'X', permissions: { place_orders: true } }],
  [{ name: 'X', permissions: '{' }],
  [{ name: 'X', permissions: '[]' }],
  [{ name: 'X', permissions: '{"fly":true}' }],
  [{ name: 'X', permissions: '{"place_orders":"true"}' }],
  [{ name: 'X', permissions: `{"place_orders":true}${' '.repeat(1_000_000)}` }],
  [{ name: '' }],
  [{ permissions: '{}' }],
  [{ name: 'X', can_fly: true }],
])('role %# is refused with 400 and leaves nothing', async (role) => {
  const before = (await call('GET', '')).body.total_count;
  expect((await create(role)).status).toBe(400);
  expect((await call('GET', '')).body.total_count).toBe(before);
  expect(await trail()).toEqual([]);
});

test('a refused save says why', async () => {
  expect((await create({ name: 'X', permissions: '{"fly":true}' })).body).toEqual({
    message: 'Could not save the role: %1',
    parameters: ['"fly" is not a permission.'],
  });
});

test('a role that cannot be kept as it is sent stays as it was', async () => {
  const { body } = await create({ name: 'Steady', permissions: cashier });
  for (const wrong of [{ permissions: '{"fly":true}' }, { permissions: '{' }, { name: ' ' }])
    await expectRefused({ send: () => update(body.role_id, wrong), status: 400, said: 'Could not save the role: %1' });
  expect((await call('GET', `/${body.role_id}`)).body).toEqual(body);
});

test('a changed role is the cashier’s at the next validation', async () => {
  const member = await aStaffMember(fork());
  const register = api.tokens.register;
  const { token } = (
    await api.call('POST', '/V1/pos/staff/authenticate', {
      token: register,
      body: { email: member.email, passcode: '1234' },
    })
  ).body;
  await update(member.roleId, { permissions: '{"void_orders":true}' });
  const { body } = await api.call('POST', '/V1/pos/staff/session/validate', { token: register, body: { token } });
  expect(body.role.permissions).toBe('{"void_orders":true}');
});

test('a used role is not deleted, an unused one is', async () => {
  const member = await aStaffMember(fork());
  expect(await call('DELETE', `/${member.roleId}`)).toMatchObject({
    status: 400,
    body: { message: 'Could not delete the role: %1', parameters: ['somebody has it'] },
  });
  const { body } = await create({ name: 'Spare', permissions: cashier });
  const answers = await eightAtOnce(() => call('DELETE', `/${body.role_id}`));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(404)]);
  expect((await call('GET', `/${body.role_id}`)).status).toBe(404);
});

test('changes leave lines with old and new values', async () => {
  const { body } = await create({ name: 'Night', permissions: '{}' });
  await remove('pos_audit_log');
  await update(body.role_id, { permissions: cashier });
  await update(body.role_id, { permissions: cashier });
  expect(await trail()).toEqual([
    { field_name: 'permissions', old_value: '{}', new_value: cashier, change_source: 'api' },
  ]);
});

test('unknown roles are not found, reading does not allow writing, lists take only known fields', async () => {
  expect(await call('GET', '/99999')).toMatchObject(unknown);
  expect(await update(99_999, { name: 'X' })).toMatchObject(unknown);
  expect(await call('DELETE', '/99999')).toMatchObject(unknown);
  expect((await create({ name: 'X' }, await api.tokenFor('Vendor_Pos::staff_roles'))).status).toBe(401);
  const sorted = (field: string) => call('GET', `?searchCriteria[sortOrders][0][field]=${field}`);
  expect((await sorted('name')).status).toBe(200);
  expect((await sorted('nothing')).status).toBe(400);
  const { body: allowed } = await create({ name: 'Y', permissions: '{"export_reports":true}' });
  const found = await call(
    'GET',
    '?searchCriteria[filterGroups][0][filters][0][field]=permissions' +
      '&searchCriteria[filterGroups][0][filters][0][value]=%25export_reports%25' +
      '&searchCriteria[filterGroups][0][filters][0][conditionType]=like',
  );
  expect(found.body.items).toContainEqual(allowed);
});
