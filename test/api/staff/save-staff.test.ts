import { describe, expect, test } from 'vitest';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import {
  opensAShop,
  api,
  roleId,
  locationId,
  hashed,
  call,
  create,
  update,
  wish,
  aMember,
  signIn,
  validate,
  trail,
  inOrder,
  unknown,
  somebodyWaits,
} from './hired-staff.ts';
import { Location } from '../../../db/locations/location.entity.ts';
import { waitUntil } from '../../support/wait-until.ts';

opensAShop();

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
  await update(member.staff_id, { is_active: true });
  expect((await validate(token)).status).toBe(200);

  expect(await call('DELETE', `/${member.staff_id}`)).toMatchObject({ status: 200, body: true });
  expect(await validate(token)).toMatchObject(missing);
  expect((await call('DELETE', `/${member.staff_id}`)).status).toBe(404);
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
