import { beforeEach, describe, expect, test } from 'vitest';
import { booksOf } from '../../support/books.ts';
import { auditTrail } from '../../support/books/audit-trail.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensAShop, api, locationId, create, update, read } from './saved-terminals.ts';

opensAShop();

const books = booksOf(() => api.orm);
const { fork, find, remove } = books;

test('a terminal without a device gets a code, shown to those who manage terminals only', async () => {
  const { status, body } = await create({ name: 'Till 1', location_id: locationId });

  expect(status).toBe(200);
  expect(body).toEqual({
    terminal_id: expect.any(Number),
    name: 'Till 1',
    device_identifier: null,
    location_id: locationId,
    is_active: true,
    activation_code: expect.stringMatching(/^[A-Z2-9]{8}$/),
    activation_used_at: null,
    last_seen_at: null,
    license_id: null,
    config_overrides: {},
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect((await read(`/${body.terminal_id}`)).body).toEqual(body);
  const { activation_code: _code, ...shown } = body;
  expect((await read(`/${body.terminal_id}`, api.tokens.register)).body).toEqual(shown);
});

const overridden = { receipt_header: 'Till 1', low_stock_threshold: 3, use_msi: false, auto_print: null };
const wrongOverrides: [Record<string, unknown>, string][] = [
  [{ reciept_header: 'Till 1' }, '"reciept_header" is not a setting of config_overrides'],
  [{ toString: 'x' }, '"toString" is not a setting of config_overrides'],
  [{ receiptHeader: 'Till 1' }, '"receiptHeader" is not a setting of config_overrides'],
  [
    { receipt_header: 'ok', low_stock_threshold: 'few' },
    '"low_stock_threshold" of config_overrides takes a whole number',
  ],
  [{ use_msi: 'maybe' }, '"use_msi" of config_overrides takes true or false'],
  [{ customer_prices: true }, '"customer_prices" of config_overrides takes a text'],
  [{ customer_prices: 'always' }, '"customer_prices" of config_overrides takes off, cart or browsing'],
  [{ low_stock_threshold: -1 }, '"low_stock_threshold" of config_overrides takes a whole number of 0 or more'],
  [{ receipt_header: ['x'] }, '"receipt_header" of config_overrides takes a text'],
  [{ receipt_header: 'x'.repeat(10_001) }, '"receipt_header" of config_overrides takes at most 10000 characters'],
];

test('settings of a terminal’s own can be read back and sent back as they came', async () => {
  const { body } = await create({ name: 'Till 8', config_overrides: overridden });
  expect(body.config_overrides).toEqual(overridden);
  expect((await update(body.terminal_id, (await read(`/${body.terminal_id}`)).body)).body).toMatchObject({
    config_overrides: overridden,
  });
});

test.each(wrongOverrides)('settings of its own such as %j are refused: %s', async (config_overrides, why) => {
  const refused = { status: 400, body: { message: 'Could not save the terminal: %1', parameters: [why] } };
  const { body } = await create({ name: 'Till 9', config_overrides: overridden });
  expect(await create({ name: 'Till 9', config_overrides })).toMatchObject(refused);
  expect(await update(body.terminal_id, { config_overrides })).toMatchObject(refused);
  expect((await read(`/${body.terminal_id}`)).body.config_overrides).toEqual(overridden);
});

test('an answer can be sent back as it came, and what the server assigns stays its own', async () => {
  const { body } = await create({ name: 'Till 4' });
  const sent = { ...body, name: 'Till 5', activation_code: 'MINE1234', activation_used_at: '2020-01-01 00:00:00' };
  const { status, body: saved } = await update(body.terminal_id, sent);

  expect(status).toBe(200);
  expect(saved).toEqual({ ...body, name: 'Till 5', updated_at: expect.any(String) });
});

test('a new code can be had, each time another one', async () => {
  const { body } = await create({ name: 'Till 6', device_identifier: 'till-6' });
  const again = async () => (await update(body.terminal_id, { regenerate_activation_code: true })).body;
  const [one, two] = [await again(), await again()];

  expect(one).toMatchObject({ device_identifier: null, activation_used_at: null });
  expect(two.activation_code).not.toBe(one.activation_code);
});

test.each([
  [{ name: ' ' }, 'Could not save the terminal: %1'],
  [{}, 'Could not save the terminal: %1'],
  [{ name: 'Till', location_id: 99_999 }, 'Could not save the terminal: %1'],
  [{ name: 'Till', license_id: 99_999 }, 'Could not save the terminal: %1'],
  [{ name: 'Till', license_key: '' }, 'Could not save the terminal: %1'],
  [{ name: 'Till', license_key: 'a b' }, 'Could not save the terminal: %1'],
  [{ name: 'Till', device_identifier: 'not ok' }, 'Invalid device identifier format.'],
])('%j is refused with %s', async (terminal, message) => {
  expect(await create(terminal)).toMatchObject({ status: 400, body: { message } });
});

test('a change to a device that cannot be is refused, and the terminal stays as it is', async () => {
  const { body } = await create({ name: 'Till 6b', device_identifier: 'till-6b' });
  const said = 'Invalid device identifier format.';
  await expectRefused({ send: () => update(body.terminal_id, { device_identifier: 'not ok' }), status: 400, said });
  expect((await read(`/${body.terminal_id}`)).body).toMatchObject({ device_identifier: 'till-6b' });
});

test('a license key links one license, which allows nothing yet; the key is not answered, and null takes it away', async () => {
  const { body } = await create({ name: 'Till 7', license_key: 'KEY-7' });
  const again = (await update(body.terminal_id, { ...body, license_key: 'KEY-7' })).body;
  expect(body.license_id).toEqual(expect.any(Number));
  expect(again.license_id).toBe(body.license_id);
  expect(JSON.stringify([body, (await read(`/${body.terminal_id}`)).body])).not.toContain('KEY-7');
  expect(await find('pos_license', { license_key: 'KEY-7' }, 'license_type', 'sealed_token')).toEqual([
    { license_type: 'free', sealed_token: null },
  ]);

  const moved = (await update(body.terminal_id, { license_id: body.license_id, license_key: 'KEY-8' })).body;
  expect(moved.license_id).not.toBe(body.license_id);
  expect((await update(body.terminal_id, { license_id: null })).body.license_id).toBeNull();

  const linked = await eightAtOnce((n) => create({ name: `Till 9-${n}`, license_key: 'KEY-9' }));
  expect(new Set(linked.map((answer) => answer.body.license_id)).size).toBe(1);
});

test('an unknown key is refused, an unknown terminal not found, a register may not save', async () => {
  expect((await create({ name: 'Till', passcode: '1' })).status).toBe(400);
  expect(await update(99_999, { name: 'Till' })).toMatchObject({
    status: 404,
    body: { message: 'Terminal with id %1 does not exist', parameters: [99_999] },
  });
  expect((await create({ name: 'Till' }, api.tokens.register)).status).toBe(401);
  expect((await read('/99999')).status).toBe(404);
});

test('terminals are listed by what a shop knows them by, never by their code', async () => {
  await aTerminal(fork(), { name: 'Garden centre', locationId, deviceIdentifier: 'garden-1' });
  const by = (field: string, value: string | number) =>
    read(
      `?searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`,
    );

  const { body } = await by('name', 'garden centre');
  expect(body).toMatchObject({ total_count: 1, items: [{ name: 'Garden centre', device_identifier: 'garden-1' }] });
  expect(Object.keys(body)).toEqual(['items', 'search_criteria', 'total_count']);
  expect((await by('location_id', locationId)).body.total_count).toBe(2);
  expect((await by('device_identifier', 'garden-1')).body.total_count).toBe(1);
  expect(await by('activation_code', 'A%25')).toMatchObject({
    status: 400,
    body: { message: 'Invalid attribute name: %1', parameters: ['activation_code'] },
  });
  expect((await read('?searchCriteria[pageSize]=2')).body.items).toHaveLength(2);
  expect((await by('last_seen_at', '2020-01-01 00:00:00')).body.total_count).toBe(0);
  const [garden] = body.items;
  expect((await by('created_at', garden.created_at)).body.items).toContainEqual(garden);
  expect((await by('updated_at', garden.updated_at)).body.items).toContainEqual(garden);
  expect((await by('activation_used_at', garden.created_at)).body.total_count).toBe(0);
});

describe('the audit trail', () => {
  const trail = () => auditTrail(books);
  const lineOf = (terminalId: number, more: Record<string, unknown>) =>
    expect.objectContaining({ entity_id: String(terminalId), ...more });
  beforeEach(() => remove('pos_audit_log'));

  test('tells each changed field, and never a code', async () => {
    const { body } = await create({ name: 'Till A' }, api.tokens.admin);
    const byAdmin = { change_source: 'admin', staff_name: 'test-admin' };
    expect(await trail()).toEqual(
      expect.arrayContaining([
        lineOf(body.terminal_id, { ...byAdmin, field_name: 'name', old_value: null, new_value: 'Till A' }),
        lineOf(body.terminal_id, { ...byAdmin, field_name: 'activation_code', new_value: '******' }),
      ]),
    );
    expect(JSON.stringify(await trail())).not.toContain(body.activation_code);

    await remove('pos_audit_log');
    await update(body.terminal_id, { is_active: false });
    await update(body.terminal_id, { is_active: false });
    expect(await trail()).toEqual([
      lineOf(body.terminal_id, {
        entity_name: 'Till A',
        change_source: 'api',
        field_name: 'is_active',
        old_value: 'true',
        new_value: 'false',
      }),
    ]);
  });

  test('tells of both terminals when a device moves', async () => {
    const first = (await create({ name: 'Till B', device_identifier: 'till-b' })).body;
    const second = (await create({ name: 'Till C', location_id: locationId })).body;
    await remove('pos_audit_log');
    await update(second.terminal_id, { device_identifier: 'till-b' });
    expect(await trail()).toEqual([
      lineOf(first.terminal_id, { field_name: 'device_identifier', old_value: 'till-b', new_value: null }),
      lineOf(second.terminal_id, { field_name: 'activation_code', old_value: '******', new_value: null }),
      lineOf(second.terminal_id, { field_name: 'device_identifier', old_value: null, new_value: 'till-b' }),
    ]);
  });

  test('has no line for what was refused', async () => {
    await create({ name: 'Till D', location_id: 99_999 });
    expect(await trail()).toEqual([]);
  });
});
