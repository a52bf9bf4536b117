import { describe, expect, test } from 'vitest';
import { saveTerminal } from '../../../db/terminals/save-terminal.ts';
import { findTerminal } from '../../../db/terminals/terminal.repository.ts';
import { type LicenseFinding } from '../../../providers/license/licensing.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { opensALicenseService, api, service, beat, aLicensedTerminal } from './licensed-terminals.ts';

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
    expect(await findTerminal(fork(), terminalId)).toMatchObject({ device_identifier: null, activation_used_at: null });

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
