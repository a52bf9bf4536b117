import { afterAll, beforeAll, expect, test } from 'vitest';
import { findTerminal } from '../../../db/terminals/terminal.repository.ts';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aStaffMember, aTerminal, secretBox, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { atOnce } from '../../support/rivals.ts';

let api: TestApi;
let locationId: number;
let admin: string;

beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  ({ locationId } = await aShop(fork()));
  admin = await api.tokenFor('Vendor_Pos::locations_manage');
});
afterAll(() => api.close());

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
