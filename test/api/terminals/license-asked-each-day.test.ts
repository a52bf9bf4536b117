import { expect, test } from 'vitest';
import { booksOf } from '../../support/books.ts';
import { aReceipt } from '../../support/builders/counter.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { timeGoesBy } from '../../support/time-goes-by.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { opensALicenseService, api, service, beat, aLicensedTerminal } from './licensed-terminals.ts';

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
