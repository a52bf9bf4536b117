import { describe, expect, test } from '@jest/globals';
import { saveTerminal } from '../../../db/terminals/save-terminal.ts';
import { findTerminal } from '../../../db/terminals/read-terminals.ts';
import { createLicenseService, grantedByHand, type LicenseFinding } from '../../../providers/license.ts';
import { booksOf } from '../../support/books.ts';
import { aReceipt, aTerminal } from '../../support/builders/counter.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { timeGoesBy } from '../../support/time-goes-by.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { aLicensedTerminal, api, beat, opensALicenseService, service } from './licensed-terminals.ts';

describe('license asked each day', () => {
  opensALicenseService();

  const { change } = booksOf(() => api.orm);
  type Terminal = Awaited<ReturnType<typeof aLicensedTerminal>>;
  const token = () => api.tokens.register;
  const refresh = ({ terminalId, deviceIdentifier }: Terminal) =>
    api.call('POST', `/V1/pos/terminals/${terminalId}/license/refresh`, { token: token(), body: { deviceIdentifier } });
  const sync = async ({ terminalId }: Terminal) =>
    (await api.call('POST', '/V1/pos/receipts', { token: token(), body: { receipt: aReceipt(terminalId) } })).status;
  const becomes = (license_key: string, to: object) => Object.assign(service.licenses.get(license_key)!, to);
  const told = async (terminal: Terminal, reason: string | null) => {
    await waitUntil(`the beat says ${reason}`, async () => (await beat(terminal)).inactive_reason === reason);
    return beat(terminal);
  };

  test('a license that is revoked upstream stops its register within a day, though nobody asks, and starts it again', async () => {
    const terminal = await aLicensedTerminal();
    await refresh(terminal);
    becomes(terminal.licenseKey, { status: 'revoked' });
    await timeGoesBy(api, { seconds: 23 * 3_600 });
    const before = await beat(terminal);
    expect([before.is_active, service.asked.length, await sync(terminal)]).toEqual([true, 1, 200]);

    await timeGoesBy(api, { seconds: 3_601 });
    await eightAtOnce(() => beat(terminal));
    const revoked = await told(terminal, 'license_revoked');
    expect([service.asked.length, await sync(terminal)]).toEqual([2, 401]);
    expect(revoked).toMatchObject({ is_active: false, license_status: 'revoked', upstream_connection_ok: true });
    expect(revoked.config_hash).not.toBe(before.config_hash);

    becomes(terminal.licenseKey, { status: 'active' });
    await timeGoesBy(api, { days: 1, seconds: 1 });
    expect(await told(terminal, null)).toMatchObject({ is_active: true, license_status: 'active' });
    expect(await sync(terminal)).toBe(200);
  });

  test('a service that is away is asked again in an hour, and stops no register', async () => {
    const terminal = await aLicensedTerminal();
    await refresh(terminal);
    becomes(terminal.licenseKey, { status: 'revoked' });
    service.mood = 'drops';
    const isNoted = async () => (await beat(terminal)).upstream_connection_ok === false;
    await timeGoesBy(api, { days: 1, seconds: 1 });
    await waitUntil('nobody answered', isNoted);
    expect(await beat(terminal)).toMatchObject({ is_active: true, license_status: 'active' });
    const asked = service.asked.length;
    await beat(terminal);
    expect(service.asked).toHaveLength(asked);

    service.mood = 'answers';
    await timeGoesBy(api, { seconds: 3_601 });
    await told(terminal, 'license_revoked');
  });

  test('a license that an administrator granted is asked about nowhere, and one that ran out syncs no receipt', async () => {
    const granted = await aLicensedTerminal();
    await change('pos_license', { license_key: granted.licenseKey }, { license_key: null });
    await timeGoesBy(api, { days: 40 });
    await eightAtOnce(() => beat(granted));
    const bound = await aLicensedTerminal({ expiresAt: new Date(Date.now() + 86_400_000).toISOString() });
    await refresh(bound);
    const known = service.asked.length;
    expect([known, await sync(bound)]).toEqual([1, 200]);
    service.mood = 'drops';
    await timeGoesBy(api, { days: 2 });
    expect(await sync(bound)).toBe(401);
    expect(await beat(bound)).toMatchObject({ license_status: 'expired' });
  });
});

describe('license at activation', () => {
  opensALicenseService();

  const { fork, change } = booksOf(() => api.orm);

  describe('activation', () => {
    const activate = (activationCode: string, deviceIdentifier: string) =>
      api.call('POST', '/V1/pos/terminals/activate', {
        token: api.tokens.admin,
        body: { activationCode, deviceIdentifier },
      });
    const aCode = async (more: Record<string, unknown> = {}) => {
      const terminal = await aLicensedTerminal({ boundTo: undefined, ...more });
      await saveTerminal(fork(), terminal.terminalId, { regenerateActivationCode: true });
      return { ...terminal, code: (await findTerminal(fork(), terminal.terminalId)).activation_code ?? '' };
    };
    const paths = (...verbs: string[]) => verbs.map((verb) => `/v1/licenses/${verb}`);

    test('binds the license to the device, and brings its fiscal credentials', async () => {
      const { code, licenseKey } = await aCode({ fiscal: { tssId: 'tss-2', apiKey: 'k-2' } });
      const { status, body } = await activate(code, 'ipad-1');
      expect(status).toBe(200);
      expect(body.fiscal_credentials).toEqual({ fiscal_tss_id: 'tss-2', fiscal_api_key: 'k-2' });
      expect(service.licenses.get(licenseKey)?.boundTo).toBe('ipad-1');
      expect(service.asked).toEqual(paths('activate'));
    });

    test('takes a license from the device that has it, and asks once more', async () => {
      const { code, licenseKey } = await aCode({ boundTo: 'old-ipad' });
      expect((await activate(code, 'ipad-2')).status).toBe(200);
      expect(service.licenses.get(licenseKey)?.boundTo).toBe('ipad-2');
      expect(service.asked).toEqual(paths('activate', 'release', 'activate'));
    });

    test('is refused with the service’s words, and the code stays usable', async () => {
      const { code, licenseKey, terminalId } = await aCode({ status: 'expired' });
      expect(await activate(code, 'ipad-3')).toMatchObject({
        status: 400,
        body: { message: 'License validation failed: %1', parameters: ['This license is expired.'] },
      });
      expect(await findTerminal(fork(), terminalId)).toMatchObject({
        device_identifier: null,
        activation_used_at: null,
      });

      const license = service.licenses.get(licenseKey);
      if (license) license.status = 'active';
      expect((await activate(code, 'ipad-3')).status).toBe(200);
    });

    test('leaves the device on the terminal it had when it is refused, and moves it when it is not', async () => {
      const former = await aTerminal(fork(), { deviceIdentifier: 'ipad-5' });
      const { code, licenseKey } = await aCode({ status: 'expired' });
      const before = await beat(former);
      expect((await activate(code, 'ipad-5')).status).toBe(400);
      expect(await beat(former)).toEqual(before);
      expect(before).toMatchObject({ is_active: true });

      const license = service.licenses.get(licenseKey);
      if (license) license.status = 'active';
      expect((await activate(code, 'ipad-5')).status).toBe(200);
      expect(await findTerminal(fork(), former.terminalId)).toMatchObject({ device_identifier: null });
    });

    /** A device asks, and the license service takes its time: the service answers the next one at once. */
    const activateSlowly = async (code: string, deviceIdentifier: string) => {
      const { license } = api.providers;
      const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<LicenseFinding>()];
      const activateLate = async () => {
        asked.resolve();
        return answer.promise;
      };
      api.providers.license = { ...license, activate: activateLate };
      const late = activate(code, deviceIdentifier);
      await asked.promise;
      api.providers.license = license;
      return { late, answer: () => answer.resolve({ outcome: 'unreachable', message: 'It took too long.' }) };
    };

    test('that was interrupted reserves its code for a minute, and the device keeps its binding', async () => {
      const former = await aTerminal(fork(), { deviceIdentifier: 'ipad-6' });
      const { code, terminalId } = await aCode();
      const { late, answer } = await activateSlowly(code, 'ipad-6');
      expect((await activate(code, 'ipad-7')).status).toBe(404);
      expect(await beat(former)).toMatchObject({ is_active: true });

      await change('pos_terminal', {}, { code_claimed_until: new Date() });
      expect((await activate(code, 'ipad-7')).status).toBe(200);
      answer();
      expect((await late).status).toBe(404);
      expect(await beat(former)).toMatchObject({ is_active: true });
      expect(await findTerminal(fork(), terminalId)).toMatchObject({ device_identifier: 'ipad-7' });
    });

    test('may be repeated at once by the same device, even after an interrupted attempt', async () => {
      const { code, terminalId } = await aCode();
      const { late, answer } = await activateSlowly(code, 'ipad-8');
      expect((await activate(code, 'ipad-8')).status).toBe(200);
      answer();
      expect(await late).toMatchObject({ status: 200, body: { terminal: { terminal_id: terminalId } } });
      expect(await findTerminal(fork(), terminalId)).toMatchObject({ device_identifier: 'ipad-8' });
    });

    test('is not stopped by a service that is away', async () => {
      const { code } = await aCode();
      service.mood = 'drops';
      expect((await activate(code, 'ipad-4')).status).toBe(200);
    });

    test('of two devices with one code the service is asked about one', async () => {
      const { code, licenseKey } = await aCode();
      const answers = await Promise.all(['left', 'right'].map((device) => activate(code, device)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
      const winner = answers.find(({ status }) => status === 200);
      expect(service.asked).toEqual(paths('activate'));
      expect(service.licenses.get(licenseKey)?.boundTo).toBe(winner?.body.terminal.device_identifier);
    });
  });
});

describe('refresh license', () => {
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
});
