import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unavailable } from '../../../domain/errors.ts';
import type { PasswordHasher } from '../../../providers/password-hasher.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { earlier, inMinutes } from '../../support/moments.ts';
import { aStaffMember, secretKey } from '../../support/builders/counter.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';

let api: TestApi;
let asked: { hash: string | null }[] = [];
let isBusy = false;

/** The real one, counted; it can be too busy. */
const counted = (real: PasswordHasher): PasswordHasher => ({
  ...real,
  async verify(passcode, hash) {
    if (isBusy) throw unavailable('Too many sign-ins at once. Please try again later.');
    asked.push({ hash });
    return real.verify(passcode, hash);
  },
});

beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  api.providers.passwords = counted(api.providers.passwords);
});
afterAll(async () => {
  await api.providers.passwords.close();
  await api.close();
});

const { fork, find, change, insert, forgetTries } = booksOf(() => api.orm);
const signIn = (email: string, passcode: string, more: Record<string, unknown> = {}) =>
  api.call('POST', '/V1/pos/staff/authenticate', {
    token: api.tokens.register,
    body: { email, passcode, terminalId: 1, ...more },
  });
const validate = (token: string) =>
  api.call('POST', '/V1/pos/staff/session/validate', { token: api.tokens.register, body: { token } });
const unlock = async (staffId: number) =>
  api.call('POST', `/V1/pos/staff/${staffId}/unlock`, { token: await api.tokenFor('Vendor_Pos::staff_manage_edit') });
const wait = async (seconds: number) => {
  for (const { email_digest: key, blocked_until: until } of await find('pos_staff_login_failure'))
    if (until)
      await change(
        'pos_staff_login_failure',
        { email_digest: key },
        { blocked_until: earlier(until, seconds * 1_000) },
      );
};

const wrong = { status: 401, body: { message: 'Invalid credentials.' } };
const tooMany = { status: 401, body: { message: 'Too many failed attempts. Please try again in %1 seconds.' } };

test('e-mail and passcode begin a session of thirty days', async () => {
  const member = await aStaffMember(fork(), { email: 'Grace@Shop.test' });
  const { status, body, headers } = await signIn(' grace@shop.TEST', '1234');

  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    session_id: expect.any(Number),
    staff_id: member.staffId,
    staff: expect.objectContaining({
      staff_id: member.staffId,
      staff_code: member.staffCode,
      email: 'Grace@Shop.test',
    }),
    role: expect.objectContaining({ role_id: member.roleId, permissions: '{"place_orders":true}' }),
    token: expect.stringMatching(/^[0-9a-f]{64}$/),
    expires_at: expect.any(String),
  });
  const days = (Date.parse(`${body.expires_at}Z`) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  expect(JSON.stringify(body)).not.toMatch(/passcode_hash|\$2[aby]\$/);
});

test('a session is read afresh: a changed role applies at once', async () => {
  const member = await aStaffMember(fork());
  const { body } = await signIn(member.email, '1234');
  await change('pos_role', { role_id: member.roleId }, { permissions: '{}' });

  expect((await validate(body.token)).body).toEqual({
    ...body,
    role: { ...body.role, permissions: '{}' },
  });
});

test('sessions that do not hold say why', async () => {
  const member = await aStaffMember(fork());
  const { token } = (await signIn(member.email, '1234')).body;
  expect(await validate('0'.repeat(64))).toMatchObject({ status: 401, body: { message: 'Invalid session token.' } });

  await change('pos_staff', { staff_id: member.staffId }, { is_active: false });
  expect(await validate(token)).toMatchObject({ status: 401, body: { message: 'Staff member not found.' } });

  await change('pos_staff_session', { staff_id: member.staffId }, { expires_at: new Date() });
  expect(await validate(token)).toMatchObject({ status: 401, body: { message: 'Session has expired.' } });
});

test('unknown, wrong and deactivated get one answer, and each a look that takes its time', async () => {
  const member = await aStaffMember(fork());
  const gone = await aStaffMember(fork(), { isActive: false });
  asked = [];
  const answers = [
    await signIn(member.email, '9999'),
    await signIn('nobody@shop.test', '1234'),
    await signIn(gone.email, '1234'),
    await signIn(member.email, `1234${'x'.repeat(69)}`),
  ];
  for (const answer of answers) expect(answer).toMatchObject(wrong);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(asked.map(({ hash }) => hash !== null)).toEqual([true, false, true, true]);
});

test.each(['known', 'unknown'])('200 wrong guesses at once at a %s address buy three looks', async (kind) => {
  const email = kind === 'known' ? (await aStaffMember(fork())).email : 'stranger@shop.test';
  asked = [];
  const answers = await atOnce(200, () => signIn(email, '0000'));

  expect(asked).toHaveLength(3);
  expect(answers.filter(({ body }) => body.message === wrong.body.message)).toHaveLength(3);
  expect(answers.filter(({ body }) => body.message === tooMany.body.message)).toHaveLength(197);
});

test('inside the cooldown the right passcode is refused too; a manager’s unlock lets it in', async () => {
  const member = await aStaffMember(fork());
  for (let guess = 0; guess < 3; guess++) await signIn(member.email, '0000');

  const { body } = await signIn(member.email, '1234');
  expect(body).toEqual({ ...tooMany.body, parameters: [expect.any(Number)] });
  expect(body.parameters[0]).toBeLessThanOrEqual(15);

  expect(await unlock(member.staffId)).toMatchObject({ status: 200, body: true });
  expect((await signIn(member.email, '1234')).status).toBe(200);
  const audit = await find('pos_audit_log', { entity_id: String(member.staffId) });
  expect(audit).toEqual([
    expect.objectContaining({ entity_type: 'staff', field_name: 'lockout', new_value: 'unlocked' }),
  ]);
});

test('a member who signs in at eight registers at once, with the right passcode, gets in at all of them', async () => {
  const member = await aStaffMember(fork());
  const answers = await eightAtOnce(() => signIn(member.email, '1234'));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(new Set(answers.map(({ body }) => body.session_id)).size).toBe(8);
});

test('unlocking an unknown member answers false', async () => {
  expect(await unlock(99_999)).toMatchObject({ status: 200, body: false });
});

test('success forgets the failures before it', async () => {
  const member = await aStaffMember(fork());
  for (let round = 0; round < 3; round++) {
    expect(await signIn(member.email, '0000')).toMatchObject(wrong);
    expect(await signIn(member.email, '0000')).toMatchObject(wrong);
    expect((await signIn(member.email, '1234')).status).toBe(200);
  }
});

test('after the wait one more guess is looked at', async () => {
  const member = await aStaffMember(fork());
  for (let guess = 0; guess < 3; guess++) await signIn(member.email, '0000');
  expect(await signIn(member.email, '0000')).toMatchObject(tooMany);
  await wait(15);
  expect(await signIn(member.email, '0000')).toMatchObject(wrong);
  expect(await signIn(member.email, '1234')).toMatchObject(tooMany);
});

test('too many sign-ins at once are a 503 that costs no guess', async () => {
  const member = await aStaffMember(fork());
  isBusy = true;
  for (let guess = 0; guess < 5; guess++) expect((await signIn(member.email, '1234')).status).toBe(503);
  isBusy = false;
  expect((await signIn(member.email, '1234')).status).toBe(200);
});

test('one passcode tried on many people is stopped per terminal', async () => {
  await forgetTries();
  const bucket = createHash('sha256').update('sign-in terminal 77').digest('hex');
  await insert('rate_limit', { bucket, attempts: 300, window_ends_at: inMinutes(1) });
  expect(await signIn('somebody@shop.test', '1234', { terminalId: 77 })).toMatchObject(tooMany);
  expect(await signIn('somebody@shop.test', '1234', { terminalId: 78 })).toMatchObject(wrong);
});

test('sign-in needs the resource, an e-mail and a passcode', async () => {
  const call = (token: string, body: unknown) => api.call('POST', '/V1/pos/staff/authenticate', { token, body });
  expect((await call(api.tokens.nothing, { email: 'a', passcode: 'b' })).status).toBe(401);
  expect(await call(api.tokens.register, { email: 'a' })).toMatchObject({
    status: 400,
    body: { parameters: { fieldName: 'passcode' } },
  });
  expect((await signIn('a@shop.test', 'x'.repeat(5_000))).status).toBe(400);
});
