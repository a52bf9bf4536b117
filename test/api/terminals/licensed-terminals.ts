import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { startLicenseSimulator, type LicenseSimulator } from '../../../local/simulators/app.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aTerminal, secretKey } from '../../support/builders/counter.ts';

export let api: TestApi;
export let service: LicenseSimulator;
let made = 0;

/** A shop with a license service of its own. */
export function opensALicenseService(): void {
  beforeAll(async () => {
    service = await startLicenseSimulator();
    api = await testApi({ settings: { POS_SECRET_KEY: secretKey, LICENSE_SERVICE_URL: service.url } });
  });
  beforeEach(() => {
    service.mood = 'answers';
    service.asked.length = 0;
  });
  afterAll(async () => {
    await api.close();
    await service.stop();
  });
}

const { fork, theTerminal, change } = booksOf(() => api.orm);
export const beat = async ({ terminalId, deviceIdentifier }: { terminalId: number; deviceIdentifier: string }) =>
  (
    await api.call('POST', `/V1/pos/terminals/${terminalId}/heartbeat`, {
      token: api.tokens.register,
      body: { deviceIdentifier },
    })
  ).body;

/** A terminal whose license the service knows, on this device. */
export async function aLicensedTerminal(more: Record<string, unknown> = {}) {
  const terminal = await aTerminal(fork());
  const licenseKey = `LIC-${++made}`;
  const { license_id: id } = await theTerminal(terminal.terminalId, 'license_id');
  await change('pos_license', { license_id: id }, { license_key: licenseKey });
  service.licenses.set(licenseKey, {
    status: 'active',
    type: 'pro',
    token: `token-${made}`,
    boundTo: terminal.deviceIdentifier,
    ...more,
  });
  return { ...terminal, licenseKey };
}
