import { afterAll, beforeAll, expect, test } from 'vitest';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { saveLocation } from '../../../db/locations/save-location.ts';
import { grantLicense } from '../../../db/terminals/grant-license.ts';
import { saveTerminal } from '../../../db/terminals/save-terminal.ts';
import { createCredits } from '../../../providers/credits/credits.ts';
import { createReturns } from '../../../providers/returns/returns.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aTerminal, secretBox, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

let api: TestApi;
let locationId: number;

beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  ({ locationId } = await aShop(fork()));
});
afterAll(() => api.close());

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
  const toronto = await saveLocation(fork(), {
    wish: { name: 'Toronto', code: 'toronto', websiteId: 1, storeViewId: 2 },
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
