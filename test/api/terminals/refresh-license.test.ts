import { expect, test } from 'vitest';
import { createLicenseService } from '../../../providers/license/license-service.ts';
import { grantedByHand } from '../../../providers/license/licensing.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensALicenseService, api, service, beat, aLicensedTerminal } from './licensed-terminals.ts';

opensALicenseService();

const { fork, find } = booksOf(() => api.orm);
const refresh = (terminalId: number, deviceIdentifier: unknown) =>
  api.call('POST', `/V1/pos/terminals/${terminalId}/license/refresh`, {
    token: api.tokens.register,
    body: { deviceIdentifier },
  });

test('a refresh brings what the service knows: token, status, end and fiscal credentials', async () => {
  const terminal = await aLicensedTerminal({
    token: 'fresh',
    expiresAt: '2099-01-01T00:00:00Z',
    fiscal: { tssId: 'tss-9', apiKey: 'fiscal-key' },
  });
  const { status, body, headers } = await refresh(terminal.terminalId, terminal.deviceIdentifier);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    success: true,
    license_token: 'fresh',
    license_status: 'active',
    license_expires_at: '2099-01-01 00:00:00',
    fiscal_credentials: { fiscal_tss_id: 'tss-9', fiscal_api_key: 'fiscal-key' },
    error: null,
  });
  expect(await beat(terminal)).toMatchObject({ license_token: 'fresh', upstream_connection_ok: true });
  const stored = JSON.stringify(await find('pos_license'));
  expect(stored).not.toMatch(/"fresh"|fiscal-key/);
});

test('only news make registers pull their configuration', async () => {
  const terminal = await aLicensedTerminal({ fiscal: { tssId: 'tss-1', apiKey: 'k' } });
  const again = () => refresh(terminal.terminalId, terminal.deviceIdentifier);
  const { config_hash: before } = await beat(terminal);
  await again();
  const { config_hash: first } = await beat(terminal);
  expect(first).not.toBe(before);
  await eightAtOnce(again);
  expect((await beat(terminal)).config_hash).toBe(first);
});

test('a license that the service revoked stops the register', async () => {
  const terminal = await aLicensedTerminal({ status: 'revoked' });
  expect((await refresh(terminal.terminalId, terminal.deviceIdentifier)).body).toMatchObject({
    success: true,
    license_status: 'revoked',
  });
  expect(await beat(terminal)).toMatchObject({ is_active: false, inactive_reason: 'license_revoked' });
});

test.each([
  ['used on another device', { boundTo: 'somebody-else' }, 'This license is used on another device.'],
  ['unknown there', undefined, 'This license does not exist.'],
])('a license that is %s stays as it was, with the service’s words', async (_case, more, error) => {
  const terminal = await aLicensedTerminal(more);
  if (!more) service.licenses.delete(terminal.licenseKey);
  const held = await beat(terminal);
  expect((await refresh(terminal.terminalId, terminal.deviceIdentifier)).body).toEqual({
    success: false,
    license_token: held.license_token,
    license_status: 'active',
    license_expires_at: null,
    fiscal_credentials: null,
    error,
  });
});

test.each([
  ['drops', 'The license service broke the connection off.'],
  ['babbles', 'The license service answered 200 with something unreadable.'],
  ['hangs', 'The license service did not answer in time.'],
] as const)('a service that %s stops no register that was licensed', async (mood, error) => {
  const terminal = await aLicensedTerminal();
  const { license } = api.providers;
  const timeoutMs = mood === 'hangs' ? 200 : 10_000;
  api.providers.license = createLicenseService({ baseUrl: service.url, apiKey: 'key', timeoutMs });
  service.mood = mood;
  const { status, body } = await refresh(terminal.terminalId, terminal.deviceIdentifier);
  api.providers.license = license;
  expect(status).toBe(200);
  expect(body).toMatchObject({ success: false, license_status: 'active', error });
  expect(await beat(terminal)).toMatchObject({
    is_active: true,
    license_status: 'active',
    upstream_connection_ok: false,
    last_upstream_check_succeeded: false,
  });
});

test('without a service to ask the answer says so, and nothing is recorded', async () => {
  const granted = await aTerminal(fork());
  const none = await aTerminal(fork(), { license: 'none' });
  expect((await refresh(granted.terminalId, granted.deviceIdentifier)).body).toMatchObject({
    success: false,
    license_status: 'active',
    error: 'An administrator granted this license: there is no service to ask.',
  });
  expect((await refresh(none.terminalId, none.deviceIdentifier)).body).toEqual({
    success: false,
    license_token: null,
    license_status: null,
    license_expires_at: null,
    fiscal_credentials: null,
    error: 'The terminal has no license.',
  });
  const terminal = await aLicensedTerminal();
  const { license } = api.providers;
  api.providers.license = grantedByHand;
  const { body } = await refresh(terminal.terminalId, terminal.deviceIdentifier);
  api.providers.license = license;
  expect(body).toMatchObject({ success: false, error: expect.stringContaining('No license service is configured') });
  expect(service.asked).toEqual([]);
  expect(await beat(terminal)).toMatchObject({ upstream_connection_ok: true });
});

test('a stranger is refused, also the device that was bound before; an unknown terminal is not found', async () => {
  const { terminalId, deviceIdentifier } = await aLicensedTerminal();
  const mismatch = { status: 401, body: { message: 'Device identifier mismatch.' } };
  expect(await refresh(terminalId, 'stranger')).toMatchObject(mismatch);
  expect(await refresh(99_999, deviceIdentifier)).toMatchObject({
    status: 404,
    body: { message: 'Terminal with id %1 does not exist', parameters: [99_999] },
  });
  expect(await refresh(terminalId, 'not ok')).toMatchObject(mismatch);
  await api.call('POST', '/V1/pos/terminals/deactivate', {
    token: api.tokens.register,
    body: { terminalId, deviceIdentifier },
  });
  expect(await refresh(terminalId, deviceIdentifier)).toMatchObject(mismatch);
  expect(service.asked).toEqual([]);
});
