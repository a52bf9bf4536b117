import { expect, test } from '@jest/globals';
import { saveTerminal } from '../../../db/terminals/save-terminal.ts';
import { booksOf } from '../../support/books.ts';
import { aStaffMember } from '../../support/builders/counter.ts';
import { inMinutes } from '../../support/moments.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { admin, api, create, locationId, opensAShop, update } from './saved-terminals.ts';

/** What a register's activation opened ends with it: sessions of staff there, and one-time codes of its kiosk. */

opensAShop();

const { fork, insert, find, change } = booksOf(() => api.orm);
let made = 0;

const post = (path: string, body: object) => api.call('POST', `/V1/pos${path}`, { token: admin, body });
const staffRoute = async (method: string, path: string, body?: object) =>
  api.call(method, `/V1/pos/staff${path}`, {
    token: await api.tokenFor('Vendor_Pos::staff_manage_edit', 'Vendor_Pos::staff_manage'),
    ...(body === undefined ? {} : { body }),
  });

const aMember = () => aStaffMember(fork());
const aLocation = async (code: string) =>
  Number((await insert('pos_location', { name: code, code, website_id: 1 }))['location_id']);

const signIn = async (email: string, terminalId?: number): Promise<string> => {
  const body = { email, passcode: '1234', ...(terminalId === undefined ? {} : { terminalId }) };
  const answer = await api.call('POST', '/V1/pos/staff/authenticate', { token: api.tokens.register, body });
  expect(answer.status).toBe(200);
  return answer.body.token;
};
const validate = async (token: string) =>
  (await api.call('POST', '/V1/pos/staff/session/validate', { token: api.tokens.register, body: { token } })).body
    .message ?? 'valid';

/** A terminal bound by its code, a session there, one at another terminal, and a kiosk's code that was sent. */
async function anOpenRegister() {
  const device = `ends-${++made}`;
  const { body: terminal } = await create({ name: device, location_id: locationId });
  const terminalId = terminal.terminal_id as number;
  await post('/terminals/activate', { activationCode: terminal.activation_code, deviceIdentifier: device });
  const { body: other } = await create({ name: 'Other', deviceIdentifier: `other-${made}`, location_id: locationId });
  const { email, staffId } = await aMember();
  await insert('pos_one_time_code', {
    ...{ email_digest: `digest-${made}`, terminal_id: terminalId, website_id: 1, code_digest: 'x', most_guesses: 5 },
    ...{ expires_at: inMinutes(5), request_key: '00000000-0000-4000-8000-000000000001' },
  });
  return {
    terminalId,
    device,
    staffId,
    session: await signIn(email, terminalId),
    elsewhere: await signIn(email, other.terminal_id),
    unbound: await signIn(email),
  };
}

type Opened = Awaited<ReturnType<typeof anOpenRegister>>;

const endings: readonly (readonly [string, (opened: Opened) => Promise<unknown>])[] = [
  ['a new activation code', ({ terminalId }) => saveTerminal(fork(), terminalId, { regenerateActivationCode: true })],
  [
    'an activation code of the administrator',
    ({ terminalId }) => saveTerminal(fork(), terminalId, { activationCode: `NEW${made}` }),
  ],
  ['a deactivation', ({ terminalId }) => update(terminalId, { is_active: false })],
  [
    'a release by its device',
    ({ terminalId, device }) => post('/terminals/deactivate', { terminalId, deviceIdentifier: device }),
  ],
  ['another device', ({ terminalId }) => update(terminalId, { device_identifier: `next-${made}` })],
  ['its device at another terminal', ({ device }) => create({ name: 'Taken', device_identifier: device })],
  ['another location', async ({ terminalId }) => update(terminalId, { location_id: await aLocation(`moved-${made}`) })],
  ['its deletion', ({ terminalId }) => api.call('DELETE', `/V1/pos/terminals/${terminalId}`, { token: admin })],
];

test.each(endings)('%s of a terminal ends the sessions and the codes there, and no others', async (_what, end) => {
  const opened = await anOpenRegister();
  expect(await Promise.all([opened.session, opened.elsewhere, opened.unbound].map(validate))).toEqual([
    'valid',
    'valid',
    'valid',
  ]);

  await end(opened);

  expect(await Promise.all([opened.session, opened.elsewhere, opened.unbound].map(validate))).toEqual([
    'Session has expired.',
    'valid',
    'valid',
  ]);
  expect(await find('pos_one_time_code', { terminal_id: opened.terminalId })).toEqual([]);
});

test('a terminal that is activated again brings no session back', async () => {
  const opened = await anOpenRegister();
  await update(opened.terminalId, { is_active: false });
  await update(opened.terminalId, { is_active: true });
  expect(await validate(opened.session)).toBe('Session has expired.');
});

test('a heartbeat, a new name and a new license end no session', async () => {
  const opened = await anOpenRegister();
  await update(opened.terminalId, { name: 'Front', config_overrides: {} });
  await post('/terminals/heartbeat', { terminalId: opened.terminalId, deviceIdentifier: opened.device });
  await change('pos_terminal', { terminal_id: opened.terminalId }, { license_id: null });
  expect(await validate(opened.session)).toBe('valid');
});

test('of eight renewals at once each ends what was open, and a session of the new device is valid', async () => {
  const opened = await anOpenRegister();
  await eightAtOnce(() => saveTerminal(fork(), opened.terminalId, { regenerateActivationCode: true }));
  const [terminal] = await find('pos_terminal', { terminal_id: opened.terminalId });
  await post('/terminals/activate', { activationCode: terminal!['activation_code'], deviceIdentifier: `new-${made}` });
  const { email } = await aMember();
  const token = await signIn(email, opened.terminalId);
  expect([await validate(opened.session), await validate(token)]).toEqual(['Session has expired.', 'valid']);
});

test('a member who is taken off a location loses the sessions at its registers, and no others', async () => {
  const opened = await anOpenRegister();
  const far = await aLocation(`far-${made}`);
  const { body: there } = await create({ name: 'Far', deviceIdentifier: `far-${made}`, location_id: far });
  await staffRoute('POST', `/${opened.staffId}/locations`, { locationId });
  await staffRoute('POST', `/${opened.staffId}/locations`, { locationId: far });
  const [member] = await find('pos_staff', { staff_id: opened.staffId });
  const away = await signIn(String(member!['email']), there.terminal_id);

  await staffRoute('PUT', `/${opened.staffId}`, { staff: { all_locations: false } });
  expect(await Promise.all([opened.session, away].map(validate))).toEqual(['valid', 'valid']);
  await staffRoute('DELETE', `/${opened.staffId}/locations/${locationId}`);
  expect(await Promise.all([opened.session, away, opened.unbound].map(validate))).toEqual([
    'Session has expired.',
    'valid',
    'valid',
  ]);
});

test('a member who no longer works everywhere keeps the sessions of the own locations', async () => {
  const opened = await anOpenRegister();
  const far = await aLocation(`farther-${made}`);
  await staffRoute('POST', `/${opened.staffId}/locations`, { locationId: far });
  const { body: there } = await create({ name: 'Far', deviceIdentifier: `farther-${made}`, location_id: far });
  const [member] = await find('pos_staff', { staff_id: opened.staffId });
  const away = await signIn(String(member!['email']), there.terminal_id);

  await staffRoute('PUT', `/${opened.staffId}`, { staff: { all_locations: false } });

  expect(await Promise.all([opened.session, away].map(validate))).toEqual(['Session has expired.', 'valid']);
});
