import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/within.ts';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { locations } from '../../../db/locations/locations.ts';
import { grantLicense } from '../../../db/terminals/licenses.ts';
import { saveTerminal } from '../../../db/terminals/save-terminal.ts';
import { findTerminal } from '../../../db/terminals/read-terminals.ts';
import { createCredits } from '../../../providers/credits/credits.ts';
import { createReturns } from '../../../providers/returns.ts';
import { booksOf } from '../../support/books.ts';
import { auditTrail } from '../../support/books/audit-trail.ts';
import { aStaffMember, aTerminal, secretBox, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { useApi } from '../../support/fixtures.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';
import { api, create, locationId, opensAShop, read, update } from './saved-terminals.ts';

describe('activate terminal', () => {
  const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });
  let locationId: number;
  let admin: string;

  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
    admin = await api.tokenFor('Vendor_Pos::locations_manage');
  });

  const { theTerminal, fork, find, change, forgetTries } = booksOf(() => api.orm);
  const activate = (activationCode: unknown, deviceIdentifier: unknown, token = admin) =>
    api.call('POST', '/V1/pos/terminals/activate', { token, body: { activationCode, deviceIdentifier } });
  const deactivate = (terminalId: unknown, deviceIdentifier: string) =>
    api.call('POST', '/V1/pos/terminals/deactivate', {
      token: api.tokens.register,
      body: { terminalId, deviceIdentifier },
    });
  async function aCode(wish: Parameters<typeof aTerminal>[1] = {}) {
    const { terminalId } = await aTerminal(fork(), { deviceIdentifier: null, locationId, ...wish });
    return { terminalId, code: (await findTerminal(fork(), terminalId)).activation_code ?? '' };
  }
  const forgetLimits = () => forgetTries();

  test('a device gets its terminal, location, colleagues and roles', async () => {
    const member = await aStaffMember(fork());
    const { terminalId, code } = await aCode();
    const { status, body } = await activate(code, 'ipad-7');

    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['terminal', 'location', 'staff_list', 'role_list', 'fiscal_credentials']);
    expect(body).toMatchObject({
      terminal: { terminal_id: terminalId, device_identifier: 'ipad-7', activation_used_at: expect.any(String) },
      location: { location_id: locationId },
      staff_list: [{ staff_id: member.staffId }],
      role_list: [{ role_id: member.roleId }],
      fiscal_credentials: null,
    });
    expect(JSON.stringify(body)).not.toMatch(/passcode_hash|\$2[aby]\$|license_token|activation_code/);
  });

  test('fiscal credentials come along where the license has them', async () => {
    const { terminalId, code } = await aCode();
    const { license_id: id } = await theTerminal(terminalId, 'license_id');
    const key = secretBox.seal('fiscal-key', 'fiscal api key');
    await change('pos_license', { license_id: id }, { fiscal_tss_id: 'tss-1', sealed_fiscal_api_key: key });
    expect((await activate(code, 'ipad-8')).body.fiscal_credentials).toEqual({
      fiscal_tss_id: 'tss-1',
      fiscal_api_key: 'fiscal-key',
    });
  });

  test('a used code is to every other device like a code that never was', async () => {
    const { code } = await aCode();
    await activate(code, 'ipad-9');
    const unknown = await activate('NEVERWAS', 'ipad-10');

    expect(unknown).toMatchObject({ status: 404, body: { message: 'Activation code not valid.' } });
    expect(await activate(code, 'ipad-10')).toMatchObject({ status: 404, body: unknown.body });
    await forgetLimits();
  });

  test('the device that used a code may send it again: its answer was lost', async () => {
    const { terminalId, code } = await aCode();
    const first = await activate(code, 'ipad-11');
    const again = await activate(code.toLowerCase(), 'ipad-11');
    expect([first.headers.get(replayHeader), again.headers.get(replayHeader)]).toEqual([null, 'true']);
    expect([again.status, again.body]).toEqual([200, first.body]);

    await deactivate(terminalId, 'ipad-11');
    expect((await activate(code, 'ipad-11')).status).toBe(404);
    await forgetLimits();
  });

  test('one device that sends its code twice at once is activated, and both calls hear so', async () => {
    const { code } = await aCode();
    const answers = await atOnce(4, () => activate(code, 'ipad-12'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.terminal.terminal_id)).size).toBe(1);
  });

  test('two devices at once on one code: one is activated', async () => {
    const { code } = await aCode();
    const answers = await Promise.all(['left', 'right'].map((device) => activate(code, device)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
    await forgetLimits();
  });

  test.each([
    ['AB1', 'till', 'Invalid activation code format.'],
    ['ABCD-1', 'till', 'Invalid activation code format.'],
    ['ABCD\n', 'till', 'Invalid activation code format.'],
    ['ABCDEFGHJKLMN', 'till', 'Invalid activation code format.'],
    ['', 'till', 'Invalid activation code format.'],
    ['ABCD', '', 'Invalid device identifier format.'],
    ['ABCD', 'till 1', 'Invalid device identifier format.'],
    ['ABCD', 'till\n', 'Invalid device identifier format.'],
    ['ABCD', 'x'.repeat(101), 'Invalid device identifier format.'],
  ])('code %j and device %j are refused: %s', async (code, device, message) => {
    expect(await activate(code, device)).toMatchObject({ status: 400, body: { message } });
  });

  test('an argument that is not there is asked for', async () => {
    expect(await activate(null, 'till')).toMatchObject({
      status: 400,
      body: { message: '"%fieldName" is required. Enter and try again.', parameters: { fieldName: 'activationCode' } },
    });
  });

  test('a terminal that is switched off is not activated', async () => {
    const { code } = await aCode({ isActive: false });
    expect(await activate(code, 'till')).toMatchObject({ status: 400, body: { message: 'The terminal is disabled.' } });
    await forgetLimits();
  });

  test('ten wrong codes are all a device has, the right one included', async () => {
    const { code } = await aCode();
    for (let guess = 0; guess < 10; guess++) expect((await activate(`WRONG${guess}`, 'guesser')).status).toBe(404);

    expect(await activate(code, 'guesser')).toMatchObject({
      status: 400,
      body: { message: 'Too many activation attempts. Please try again later.' },
    });
    expect((await activate(code, 'somebody-else')).status).toBe(200);
    await forgetLimits();
  });

  test('a device under ever new names is stopped as well', async () => {
    const guesses = await atOnce(80, (name) => activate('WRONG', `name-${name}`));
    expect(guesses.filter(({ status }) => status === 404)).toHaveLength(60);
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(20);
    await forgetLimits();
  });

  test('successes are no guesses: a roll-out is not slowed down', async () => {
    const codes = await atOnce(12, () => aCode());
    const answers = await Promise.all(codes.map(({ code }, at) => activate(code, `fleet-${at}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const left = await find('rate_limit', {}, 'attempts');
    expect(new Set(left.map(({ attempts }) => attempts))).toEqual(new Set([0]));
  });

  test('activation is for those who manage terminals', async () => {
    expect((await activate('ABCD', 'till', api.tokens.register)).status).toBe(401);
  });

  test('a device releases its terminal; another one does not', async () => {
    const { terminalId, code } = await aCode();
    await activate(code, 'leaver');

    expect(await deactivate(terminalId, 'stranger')).toMatchObject({ status: 401 });
    expect(await deactivate(String(terminalId), 'leaver')).toMatchObject({ status: 200, body: true });
    expect(await deactivate(terminalId, 'leaver')).toMatchObject({ status: 200, body: true });
    expect(await deactivate(99_999, 'leaver')).toMatchObject({
      status: 404,
      body: { message: 'Terminal with id %1 does not exist', parameters: [99_999] },
    });
    expect((await deactivate(terminalId, 'not ok')).status).toBe(400);
  });
});

describe('delete terminal', () => {
  const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });
  let manager: string;

  beforeAll(async () => {
    manager = await api.tokenFor('Vendor_Pos::locations_manage', 'Vendor_Pos::locations');
  });

  const books = booksOf(() => api.orm);
  const { fork, find, howMany } = books;
  const remove = (terminalId: number, token = manager) =>
    api.call('DELETE', `/V1/pos/terminals/${terminalId}`, { token });

  test('a terminal that is deleted is unknown to its device; its license stays', async () => {
    const { terminalId, deviceIdentifier } = await aTerminal(fork(), { name: 'Old till' });
    await books.remove('pos_audit_log');

    expect(await remove(terminalId)).toMatchObject({ status: 200, body: true });
    const beat = { token: api.tokens.register, body: { deviceIdentifier } };
    expect((await api.call('POST', `/V1/pos/terminals/${terminalId}/heartbeat`, beat)).status).toBe(404);
    expect(await howMany('pos_license')).toBe(1);
    expect(await find('pos_audit_log', {}, 'entity_name', 'field_name', 'old_value', 'new_value')).toEqual(
      expect.arrayContaining([
        { entity_name: 'Old till', field_name: 'name', old_value: 'Old till', new_value: null },
        { entity_name: 'Old till', field_name: 'device_identifier', old_value: deviceIdentifier, new_value: null },
      ]),
    );
  });

  test('its device can be bound to another one', async () => {
    const { terminalId, deviceIdentifier } = await aTerminal(fork());
    await remove(terminalId);
    expect((await aTerminal(fork(), { deviceIdentifier })).deviceIdentifier).toBe(deviceIdentifier);
  });

  test('eight deletions at once delete once; an unknown terminal is not found; a register may not', async () => {
    const { terminalId } = await aTerminal(fork());
    expect((await remove(terminalId, api.tokens.register)).status).toBe(401);
    const answers = await eightAtOnce(() => remove(terminalId));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 404, 404, 404, 404, 404, 404, 404,
    ]);
    expect(await remove(99_999)).toMatchObject({
      status: 404,
      body: { message: 'Terminal with id %1 does not exist', parameters: [99_999] },
    });
  });
});

describe('save terminal', () => {
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
});

describe('send heartbeat', () => {
  const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });
  let locationId: number;

  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

  const { fork } = booksOf(() => api.orm);
  const beat = (terminalId: number, deviceIdentifier: unknown) =>
    api.call('POST', `/V1/pos/terminals/${terminalId}/heartbeat`, {
      token: api.tokens.register,
      body: { deviceIdentifier },
    });
  const bodyOf = async (terminal: { terminalId: number; deviceIdentifier: string }) =>
    (await beat(terminal.terminalId, terminal.deviceIdentifier)).body;

  test('tells everything a register asks for, and when it was last seen', async () => {
    const { terminalId, deviceIdentifier } = await aTerminal(fork(), {
      locationId,
      expiresAt: new Date('2099-01-01T00:00:00Z'),
    });
    const { status, body } = await beat(terminalId, deviceIdentifier);

    expect(status).toBe(200);
    expect(body).toEqual({
      is_active: true,
      device_identifier: deviceIdentifier,
      require_terminal_registration: true,
      config_hash: expect.stringMatching(/^[0-9a-f]{32}$/),
      upstream_connection_ok: true,
      has_license: true,
      license_status: 'active',
      license_expires_at: '2099-01-01 00:00:00',
      license_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      inactive_reason: null,
      last_upstream_check_at: expect.any(String),
      last_upstream_check_succeeded: true,
    });
    const seen = await api.call('GET', `/V1/pos/terminals/${terminalId}`, { token: api.tokens.register });
    expect(seen.body.last_seen_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  test('a terminal without a license says so', async () => {
    const terminal = await aTerminal(fork(), { license: 'none' });
    expect(await bodyOf(terminal)).toMatchObject({
      has_license: false,
      license_status: null,
      license_expires_at: null,
      license_token: null,
      is_active: true,
    });
  });

  test.each([
    ['deactivated', (terminalId: number) => saveTerminal(fork(), terminalId, { isActive: false })],
    ['code_regenerated', (terminalId: number) => saveTerminal(fork(), terminalId, { regenerateActivationCode: true })],
    ['license_revoked', (terminalId: number) => grantLicense(fork(), secretBox, { terminalId, type: 'none' })],
  ])('an inactive terminal says why: %s', async (reason, disable) => {
    const terminal = await aTerminal(fork());
    await disable(terminal.terminalId);
    const body = await bodyOf(terminal);
    expect(body).toMatchObject({ is_active: false, inactive_reason: reason });
    expect(body.license_token === null).toBe(reason === 'code_regenerated');
  });

  test('the configuration’s hash changes with the configuration, and not with the beats', async () => {
    const terminal = await aTerminal(fork(), { locationId });
    const [one, two] = [await bodyOf(terminal), await bodyOf(terminal)];
    expect(two.config_hash).toBe(one.config_hash);

    const setting = { path: 'vendor_pos/general/require_terminal_registration', value: '0' };
    await setConfigValue(fork(), secretBox, { ...setting, scope: 'websites', scopeId: 1 });
    const three = await bodyOf(terminal);
    expect(three.config_hash).not.toBe(one.config_hash);
    expect(three.require_terminal_registration).toBe(false);
  });

  test('heartbeat and configuration agree on whether terminals must be registered, down to the store view', async () => {
    const here = await aTerminal(fork(), { locationId });
    const { location_id: toronto } = await locations.save(fork(), {
      draft: { name: 'Toronto', code: 'toronto', websiteId: 1, storeViewId: 2 },
    });
    const there = await aTerminal(fork(), { locationId: toronto });
    const path = 'vendor_pos/general/require_terminal_registration';
    const set = (value: string, scope: 'websites' | 'stores', scopeId: number) =>
      setConfigValue(fork(), secretBox, { path, value, scope, scopeId });
    const heard = async (terminal: typeof here) => {
      const { body } = await api.call('GET', `/V1/pos/terminals/${terminal.terminalId}/config`, {
        token: api.tokens.register,
      });
      const { require_terminal_registration: byHeartbeat } = await bodyOf(terminal);
      return [byHeartbeat, JSON.parse(body).config.require_terminal_registration];
    };

    await set('1', 'websites', 1);
    await set('0', 'stores', 2);
    expect([await heard(here), await heard(there)]).toEqual([
      [true, true],
      [false, false],
    ]);
    await set('0', 'websites', 1);
    await set('1', 'stores', 1);
    expect([await heard(here), await heard(there)]).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  test('a service that comes or goes with a deployment changes the hash', async () => {
    const terminal = await aTerminal(fork(), { locationId });
    const hash = async () => (await bodyOf(terminal)).config_hash;
    const { providers } = api;
    const { returns, credits } = providers;
    const baseUrl = 'http://127.0.0.1:9';
    const without = await hash();

    const remote = { baseUrl, apiKey: undefined, timeoutMs: 1_000 };
    providers.returns = createReturns({ remote, readSetting: async () => 'builtin' });
    const withReturns = await hash();
    providers.returns = returns;
    providers.credits = createCredits({ orm: api.orm, service: { baseUrl, apiKey: undefined, kind: 'gift_card' } });
    const withCredits = await hash();
    providers.credits = credits;

    expect(new Set([without, withReturns, withCredits]).size).toBe(3);
    expect(await hash()).toBe(without);
  });

  test('a stranger is refused, an unknown terminal is not found', async () => {
    const { terminalId, deviceIdentifier } = await aTerminal(fork());
    const other = await aTerminal(fork());

    expect(await beat(terminalId, other.deviceIdentifier)).toMatchObject({
      status: 401,
      body: { message: 'Device identifier mismatch.' },
    });
    expect(await beat(99_999, deviceIdentifier)).toMatchObject({
      status: 404,
      body: { message: 'Terminal with id %1 does not exist', parameters: [99_999] },
    });
    expect(await beat(terminalId, 'not ok')).toMatchObject({
      status: 400,
      body: { message: 'Invalid device identifier format.' },
    });
    expect((await beat(terminalId, null)).status).toBe(400);
  });

  test('a terminal without a bound device accepts no heartbeat', async () => {
    const { terminalId } = await aTerminal(fork(), { deviceIdentifier: null });
    expect((await beat(terminalId, 'anybody')).status).toBe(401);
  });
});
