import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mostFailures } from '../../../api/http/sign-in.ts';
import { openOpsSession } from '../../../db/ops/people.ts';
import { Location } from '../../../db/locations/location.entity.ts';
import { createAdminUser } from '../../../db/platform/access/create-admin-user.ts';
import { roles } from '../../../db/staff/roles.ts';
import { unavailable } from '../../../domain/errors.ts';
import type { PasswordHasher } from '../../../providers/password-hasher.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aStaffMember, aTerminal, secretKey } from '../../support/builders/counter.ts';
import { impatient } from '../../support/database.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { useApi } from '../../support/fixtures.ts';
import { earlier, inMinutes } from '../../support/moments.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  aMember,
  api,
  call,
  create,
  hashed,
  inOrder,
  locationId,
  opensAShop,
  roleId,
  signIn,
  somebodyWaits,
  trail,
  unknown,
  update,
  validate,
  wish,
} from './hired-staff.ts';

describe('authenticate staff', () => {
  let api: TestApi;
  let asked: { hash: string | null }[] = [];
  let isBusy = false;

  let terminals: number[];
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
    terminals = [];
    for (let made = 0; made < 3; made++) terminals.push((await aTerminal(fork())).terminalId);
  });
  afterAll(async () => {
    await api.providers.passwords.close();
    await api.close();
  });

  const { fork, find, change, insert, forgetTries } = booksOf(() => api.orm);
  const signIn = (email: string, passcode: string, more: Record<string, unknown> = {}) =>
    api.call('POST', '/V1/pos/staff/authenticate', {
      token: api.tokens.register,
      body: { email, passcode, terminalId: terminals[0], ...more },
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
    const [, one, other] = terminals;
    const bucket = createHash('sha256').update(`sign-in terminal ${one}`).digest('hex');
    await insert('rate_limit', { bucket, attempts: 300, window_ends_at: inMinutes(1) });
    expect(await signIn('somebody@shop.test', '1234', { terminalId: one })).toMatchObject(tooMany);
    expect(await signIn('somebody@shop.test', '1234', { terminalId: other })).toMatchObject(wrong);
  });

  test('an unknown terminal is 404 and costs no guess', async () => {
    const member = await aStaffMember(fork());
    for (let guess = 0; guess < 5; guess++)
      expect(await signIn(member.email, '0000', { terminalId: 999_999 })).toMatchObject({
        ...{ status: 404, body: { message: 'Terminal with id %1 does not exist', parameters: [999_999] } },
      });
    expect((await signIn(member.email, '1234')).status).toBe(200);
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
});

describe('save staff', () => {
  opensAShop();
  const opsSessionsOf = (staffId: number) => find('ops_session', { user_kind: 'staff', user_id: staffId });

  const { fork, find, findOne, insert, remove } = booksOf(() => api.orm);

  test('a new member gets a staff code and signs in with a passcode that no answer shows', async () => {
    const { status, body } = await create(wish({ email: 'Grace@Shop.test', allLocations: '1' }));
    expect(status).toBe(200);
    expect(body).toEqual({
      staff_id: expect.any(Number),
      staff_code: expect.stringMatching(/^[A-Z2-9]{5}$/),
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'Grace@Shop.test',
      passcode_updated_at: expect.any(String),
      role_id: roleId,
      all_locations: true,
      is_active: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await call('GET', `/${body.staff_id}`)).body).toEqual(body);
    expect((await signIn('grace@shop.test', '1234')).status).toBe(200);
  });

  test('what the server assigns stays its own, and an answer can be sent back', async () => {
    const own = { staff_id: 4_711, staff_code: 'MINE2', passcode_updated_at: '2020-01-01 00:00:00' };
    const member = await aMember(own);
    for (const [key, value] of Object.entries(own)) expect(member[key]).not.toBe(value);

    const { status, body } = await update(member.staff_id, { ...member, ...own, first_name: 'Grace' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...member, first_name: 'Grace', updated_at: expect.any(String) });
    expect(hashed).toHaveLength(1);
  });

  test('each new passcode moves its watermark to another second, and only that', async () => {
    const member = await aMember();
    const renamed = (await update(member.staff_id, { first_name: 'Grace' })).body;
    expect(renamed.passcode_updated_at).toBe(member.passcode_updated_at);

    const first = (await update(member.staff_id, { passcode: '5678' })).body;
    const second = (await update(member.staff_id, { passcode: '9999' })).body;
    const marks = [member, first, second].map(({ passcode_updated_at: mark }) => mark);
    expect(new Set(marks).size).toBe(3);
    expect(marks.toSorted((a, b) => a.localeCompare(b))).toEqual(marks);
    expect((await signIn(member.email, '1234')).status).toBe(401);
    expect((await signIn(member.email, '9999')).status).toBe(200);
  });

  test.each([
    [{ first_name: '' }, 'a first name is needed'],
    [{ last_name: ' ' }, 'a last name is needed'],
    [{ email: 'a@b\r\nBcc:' }, 'the e-mail is not an address'],
    [{ role_id: 99_999 }, 'the role does not exist'],
    [{ passcode: '' }, 'the passcode is empty'],
    [{ passcode: 'x'.repeat(73) }, 'the passcode is longer than 72 bytes'],
    [{ passcode: null }, 'a passcode is needed'],
    [{ email: null }, 'an e-mail is needed'],
    [{ role_id: null }, 'a role is needed'],
    [{ first_name: null }, 'a first and a last name are needed'],
  ])('%j is not saved: %s', async (more, why) => {
    const refusal = { status: 400, body: { message: 'Could not save the staff member: %1', parameters: [why] } };
    expect(await create(wish(more))).toMatchObject(refusal);
    expect(await trail()).toEqual([]);
    if (Object.values(more).includes(null)) return;
    const member = await aMember();
    expect(await update(member.staff_id, more)).toMatchObject(refusal);
    expect((await call('GET', `/${member.staff_id}`)).body).toEqual(member);
  });

  test('a passcode that would not count is refused before it is hashed', async () => {
    await create(wish({ passcode: 'x'.repeat(1_000) }));
    expect((await create(wish({ passcode: 'x'.repeat(100_000) }))).status).toBe(400);
    expect(await update(99_999, { passcode: '1234' })).toMatchObject(unknown);
    expect(hashed).toEqual([]);
  });

  test('an e-mail is one person, whatever its case', async () => {
    const member = await aMember({ email: 'one@shop.test' });
    const other = await aMember();
    const taken = { status: 400, body: { parameters: ['somebody has this e-mail'] } };
    expect(await create(wish({ email: ' ONE@shop.test' }))).toMatchObject(taken);
    expect(await update(other.staff_id, { email: 'One@Shop.test' })).toMatchObject(taken);
    expect((await update(member.staff_id, { email: 'ONE@shop.test' })).body).toMatchObject({ email: 'ONE@shop.test' });
  });

  test('eight of one e-mail at once: one is hired', async () => {
    const answers = await eightAtOnce(() => create(wish({ email: 'rush@shop.test' })));
    expect(inOrder(answers)).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
  });

  test('eight changes at once of different fields all hold', async () => {
    const member = await aMember();
    const changes = [{ first_name: 'Grace' }, { last_name: 'Hopper' }, { all_locations: true }, { is_active: false }];
    await Promise.all([...changes, ...changes].map((change) => update(member.staff_id, change)));
    expect((await call('GET', `/${member.staff_id}`)).body).toMatchObject(Object.assign({}, ...changes));
    expect((await trail()).filter(({ old_value: old }) => old !== null)).toHaveLength(4);
  });

  test('a deactivated or deleted member loses the session at its next validation', async () => {
    const member = await aMember();
    const { token } = (await signIn(member.email, '1234')).body;
    const missing = { status: 401, body: { message: 'Staff member not found.' } };
    await update(member.staff_id, { is_active: false });
    expect(await validate(token)).toMatchObject(missing);
    // What a dismissed member had opened stays closed, also when the member comes back.
    await update(member.staff_id, { is_active: true });
    expect(await validate(token)).toMatchObject({ status: 401, body: { message: 'Session has expired.' } });

    const again = (await signIn(member.email, '1234')).body;
    expect(await call('DELETE', `/${member.staff_id}`)).toMatchObject({ status: 200, body: true });
    expect(await validate(again.token)).toMatchObject(missing);
    expect((await call('DELETE', `/${member.staff_id}`)).status).toBe(404);
  });

  test('a new passcode ends every session that the former one opened, at registers and at the page of the operator', async () => {
    const member = await aMember();
    const tokens = [(await signIn(member.email, '1234')).body.token, (await signIn(member.email, '1234')).body.token];
    await openOpsSession(api.orm.em.fork(), { userKind: 'staff', userId: member.staff_id, isEnrolling: false });
    await update(member.staff_id, { first_name: 'Ada' });
    expect((await validate(tokens[0])).status).toBe(200);

    await update(member.staff_id, { passcode: '998877' });
    for (const token of tokens)
      expect(await validate(token)).toMatchObject({ status: 401, body: { message: 'Session has expired.' } });
    expect(await opsSessionsOf(member.staff_id)).toEqual([]);
    expect((await signIn(member.email, '998877')).status).toBe(200);
  });

  test('a role that is switched off ends the sessions of its members at the page of the operator', async () => {
    const member = await aMember();
    await openOpsSession(api.orm.em.fork(), { userKind: 'staff', userId: member.staff_id, isEnrolling: false });
    const save = (isActive: boolean) =>
      roles.save(api.orm.em.fork(), { id: roleId, draft: { isActive }, by: { changeSource: 'admin' } });
    await save(false);
    await save(true);
    expect(await opsSessionsOf(member.staff_id)).toEqual([]);
  });

  test('unknown members are not found; reading does not allow writing; unknown keys are refused', async () => {
    for (const answer of [
      await call('GET', '/99999'),
      await update(99_999, { first_name: 'Ada' }),
      await call('DELETE', '/99999'),
      await call('GET', '/99999/locations'),
      await call('POST', '/99999/locations', { locationId }),
      await call('DELETE', `/99999/locations/${locationId}`),
    ])
      expect(answer).toMatchObject(unknown);
    expect((await create(wish(), await api.tokenFor('Vendor_Pos::staff_manage'))).status).toBe(401);
    expect((await create(wish({ passcode_hash: 'x' }))).status).toBe(400);
  });

  test('staff are searched by their fields, never by their passcode', async () => {
    const member = await aMember({ first_name: 'Margaret' });
    const by = (field: string, value: string) =>
      call(
        'GET',
        `?searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`,
      );
    expect((await by('first_name', 'margaret')).body).toMatchObject({
      items: [member],
      search_criteria: expect.any(Object),
      total_count: 1,
    });
    expect((await by('staff_code', member.staff_code)).body.total_count).toBe(1);
    expect((await by('passcode_updated_at', member.passcode_updated_at)).body.items).toContainEqual(member);
    for (const field of ['passcode', 'passcode_hash', 'passcodeHash', 'email_key', 'nothing'])
      expect(await by(field, '%25')).toMatchObject({
        status: 400,
        body: { message: 'Invalid attribute name: %1', parameters: [field] },
      });
    expect((await call('GET', '?searchCriteria[sortOrders][0][field]=passcode_hash')).status).toBe(400);
    expect(JSON.stringify((await call('GET', '')).body)).not.toMatch(/hash|\$2[aby]\$/);
  });

  test('a member works where they are assigned, once, until it is taken back', async () => {
    const member = await aMember();
    const at = `/${member.staff_id}/locations`;
    await remove('pos_audit_log');
    const assigned = await eightAtOnce(() => call('POST', at, { locationId }));
    expect(inOrder(assigned)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(assigned[0]?.body).toBe(true);
    expect((await call('GET', at)).body).toEqual([
      (await api.call('GET', `/V1/pos/locations/${locationId}`, { token: api.tokens.register })).body,
    ]);
    for (let round = 0; round < 2; round++)
      expect(await call('DELETE', `${at}/${locationId}`)).toMatchObject({ status: 200, body: true });
    expect((await call('GET', at)).body).toEqual([]);

    const line = { entity_type: 'staff', entity_id: String(member.staff_id), field_name: 'location_id' };
    expect(await trail()).toEqual([
      expect.objectContaining({ ...line, old_value: null, new_value: String(locationId) }),
      expect.objectContaining({ ...line, old_value: String(locationId), new_value: null }),
    ]);
    expect(await call('POST', at, { locationId: 99_999 })).toMatchObject({
      status: 404,
      body: { message: 'Location with id %1 does not exist' },
    });
  });

  test('an assignment to a location that is being closed down waits, and then finds none', async () => {
    const { body: member } = await create(wish());
    const popUp = { code: 'pop-up' };
    await insert('pos_location', { ...popUp, name: 'Pop-up', created_at: new Date(), updated_at: new Date() });
    const { location_id: closing } = await findOne('pos_location', popUp, 'location_id');
    let assigned: ReturnType<typeof call> | undefined;
    await fork().transactional(async (tx) => {
      await tx.nativeDelete(Location, { locationId: closing });
      assigned = call('POST', `/${member.staff_id}/locations`, { locationId: closing });
      await waitUntil('the assignment waits', somebodyWaits);
    });

    expect(await assigned).toMatchObject({ status: 404, body: { message: 'Location with id %1 does not exist' } });
  });

  describe('the audit trail', () => {
    test('tells each changed field, by whom, and never a passcode', async () => {
      const member = await aMember();
      await remove('pos_audit_log');
      await update(member.staff_id, { first_name: 'Grace', passcode: 'canary-5678' }, api.tokens.admin);
      await update(member.staff_id, { first_name: 'Grace' });
      const line = {
        entity_type: 'staff',
        entity_id: String(member.staff_id),
        entity_name: 'Grace Lovelace',
        change_source: 'admin',
        staff_name: 'test-admin',
      };
      expect(await trail()).toHaveLength(2);
      expect(await trail()).toEqual(
        expect.arrayContaining([
          { ...line, field_name: 'first_name', old_value: 'Ada', new_value: 'Grace' },
          { ...line, field_name: 'passcode', old_value: '******', new_value: '******' },
        ]),
      );
      expect(JSON.stringify(await find('pos_audit_log'))).not.toMatch(/canary|\$2[aby]\$/);
    });

    test('tells of hiring and of leaving', async () => {
      const member = await aMember();
      await call('DELETE', `/${member.staff_id}`);
      const of = (field: string, lines: Record<string, unknown>[]) =>
        lines.filter((line) => line['field_name'] === field);
      const lines = await trail();
      expect(of('email', lines)).toMatchObject([
        { old_value: null, new_value: member.email, change_source: 'api' },
        { old_value: member.email, new_value: null, entity_name: 'Ada Lovelace' },
      ]);
      expect(of('passcode', lines)).toMatchObject([{ new_value: '******' }, { old_value: '******' }]);
    });
  });
});

describe('sign in flood', () => {
  const api = useApi({ limits: impatient, settings: { POS_SECRET_KEY: secretKey, TRUSTED_PROXIES: '127.0.0.1' } });

  const { fork, find, howMany } = booksOf(() => api.orm);

  /** A caller without a token who tries random names: from one address, or from many. */
  const guess = (number: number, address: string) =>
    api.call('POST', `/V1/integration/${number % 2 ? 'admin' : 'customer'}/token`, {
      body: { username: `random-${number}@nowhere.test`, password: 'guess' },
      headers: { 'x-forwarded-for': address },
    });

  test.each([
    ['one address', () => '203.0.113.9'],
    ['as many addresses', (number: number) => `198.51.${number >> 8}.${number & 255}`],
  ])('while somebody without a token tries random names from %s, every cashier signs in', async (_name, addressOf) => {
    const members = [];
    for (let at = 0; at < 6; at++) members.push(await aStaffMember(fork()));

    let lookups = 0;
    const flood = Array.from({ length: 400 }, async (_, number) => {
      const answer = await guess(number, addressOf(number));
      if (answer.status === 401) lookups++;
      return answer;
    });
    // The crowd is so large that some of it are turned away.
    await Promise.any(flood.map(async (one) => expect((await one).status).toBe(503)));
    const answers = await Promise.all(
      members.map(({ email }) =>
        api.call('POST', '/V1/pos/staff/authenticate', {
          token: api.tokens.register,
          body: { email, passcode: '1234' },
        }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(members.map(() => 200));
    // They did not stand behind the crowd.
    expect(lookups).toBeLessThan(48);
    const turnedAway = await Promise.all(flood);
    expect(new Set(turnedAway.map(({ status }) => status))).toEqual(new Set([401, 503]));
    expect(turnedAway.filter(({ status }) => status === 401).length).toBeLessThan(400);
    expect(api.faults).toEqual([]);
  });

  test('a caller limited by address learns when to come again, and others sign in', async () => {
    const guesses = await atOnce(300, (number) => guess(number, '203.0.113.77'));
    const refused = guesses.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(100);
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
  });

  test('people who know their passwords sign in as often as they like from one address', async () => {
    const passwordHash = await api.providers.passwords.hash('correct horse');
    const em = fork();
    const person = { passwordHash, firstName: 'Ada', lastName: 'Boss', email: 'ada@shop.test', resources: [] };
    await createAdminUser(em, { ...person, username: 'ada' });
    const { verify } = api.providers.passwords;
    // The hash itself is not what this is about.
    api.providers.passwords.verify = async (password) => password === 'correct horse';
    for (let time = 0; time < 2 * mostFailures; time++)
      expect(
        await api.call('POST', '/V1/integration/admin/token', {
          body: { username: 'ada', password: 'correct horse' },
          headers: { 'x-forwarded-for': '203.0.113.200' },
        }),
      ).toMatchObject({ status: 200 });
    api.providers.passwords.verify = verify;
  });

  test('while too many passcodes wait to be hashed, no member is hired and no passcode changed', async () => {
    const { email, staffId, roleId } = await aStaffMember(fork());
    const { hash } = api.providers.passwords;
    const said = 'Too many sign-ins at once. Please try again later.';
    api.providers.passwords.hash = async () => {
      throw unavailable(said);
    };
    const token = api.tokens.admin;
    const hired = { first_name: 'Ada', last_name: 'Boss', email: 'new@shop.test', passcode: '4321', role_id: roleId };
    for (const send of [
      () => api.call('POST', '/V1/pos/staff', { token, body: { staff: hired } }),
      () => api.call('PUT', `/V1/pos/staff/${staffId}`, { token, body: { staff: { passcode: '4321' } } }),
    ])
      await expectRefused({ send, status: 503, said });
    api.providers.passwords.hash = hash;
    expect([await howMany('pos_staff', { email }), await howMany('pos_staff', { email: hired.email })]).toEqual([1, 0]);
  });

  test('random names leave no more rows than there are places for them', async () => {
    const names = await find('token_throttle', {}, 'user_name');
    expect(names.filter(({ user_name: name }) => name.includes('random'))).toEqual([]);
  });
});
