import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { forceCloseSession } from '../../../db/register-sessions/close-session.ts';
import { digestOf } from '../../../db/register-sessions/write-closing.ts';
import { testApi, type Answer, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import type { Row } from '../../support/books/cells.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { aStaffMember, secretBox } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';

/** A drawer from its opening to its closing, as a register and an office use it. */
let api: TestApi;
let place: { location_id: number; terminal_id: number; staff_id: number };
let uuid: string;

beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
afterAll(() => api.close());

const { fork, insert, change, find, booksHold } = booksOf(() => api.orm);
let stores = 0;
const aTerminalAt = async (locationId: number) =>
  Number((await insert('pos_terminal', { name: 'Register', location_id: locationId }))['terminal_id']);
const closes = '{"close_register":true}';

beforeEach(async () => {
  const name = `Store ${++stores}`;
  const { staffId } = await aStaffMember(fork());
  const { location_id } = await insert('pos_location', { name, code: `S${stores}` });
  const locationId = Number(location_id);
  place = { location_id: locationId, terminal_id: await aTerminalAt(locationId), staff_id: staffId };
  uuid = randomUUID();
});

const path = '/V1/pos/register-sessions';
const post = (verb: string, body: unknown, token = api.tokens.register) =>
  api.call('POST', `${path}/${uuid}${verb}`, { token, body });
const open = (more: object = {}) =>
  api.call('POST', path, {
    token: api.tokens.register,
    body: {
      session: { register_session_uuid: uuid, ...place, opening: [{ currency: 'USD', counted: 100.5 }], ...more },
    },
  });
const sale = (amount: number, more: Row = {}) =>
  aBareReceipt(api.orm, {
    ...{ location_id: place.location_id, terminal_id: place.terminal_id, currency: 'USD', payment_method: 'cash' },
    ...{ grand_total: amount, register_session_uuid: uuid, ...more },
  });
const count = (counted: number, more: object[] = [], countUuid = randomUUID()) =>
  post('/count', { count_uuid: countUuid, count: [{ currency: 'USD', tender: 'cash', counted }, ...more] });
const close = (more: object = {}) => post('/close', { closed_by: place.staff_id, explanations: [], ...more });
const move = (movement: object) => post('/movements', { movement: { movement_uuid: randomUUID(), ...movement } });
const read = async (token = api.tokens.register) => (await api.call('GET', `${path}/${uuid}`, { token })).body;
const outcomeOf = ({ status, body }: Answer) => [status, body.parameters?.outcome];

test('a day: opened, sold, moved, counted and closed, to the cent', async () => {
  expect(await open()).toMatchObject({
    status: 200,
    body: { state: 'open', register_session_uuid: uuid, figures: null },
  });
  await sale(31.73);
  await sale(20, { payment_method: 'provider_a' });
  expect(await move({ kind: 'cash_in', amount: 50, currency: 'USD', reason: 'change' })).toMatchObject({ status: 200 });
  await move({ kind: 'drop', amount: 30.25, currency: 'usd' });
  await move({ kind: 'no_sale', reason: 'looked' });

  const counted = await count(151.98, [{ currency: 'USD', tender: 'card', counted: 20 }]);
  expect(counted).toMatchObject({ status: 200, body: { result: 'accepted', number: 1 } });
  expect((await read()).state).toBe('counted');
  const closed = await close();

  expect(closed).toMatchObject({ status: 200, body: { number: 1, previous_hash: null, has_difference: false } });
  const { document, hash } = closed.body;
  expect(document.cash).toEqual([
    {
      ...{ currency: 'USD', opening: 100.5, cash_in: 50, cash_out: 0, drops: 30.25, takings: 31.73 },
      ...{ expected: 151.98, counted: 151.98, over_short: 0 },
    },
  ]);
  expect(document).toMatchObject({ no_sales: 1, receipts: { count: 2 }, closed_by: { name: 'Ada Lovelace' } });
  const [stored] = await find('pos_closing', { closing_id: closed.body.closing_id });
  expect(digestOf(String(stored?.['document']))).toBe(hash);
  expect(await read()).toMatchObject({ state: 'closed', closing_number: 1 });
  await booksHold();
});

test('a repeat of each request answers what is stored; another body of its UUID is 422', async () => {
  const first = await open();
  expect(await open()).toMatchObject({ status: 200, body: first.body });
  expect(outcomeOf(await open({ opening: [{ currency: 'USD', counted: 1 }] }))).toEqual([422, 'uuid_reused']);

  const movement = { movement_uuid: randomUUID(), kind: 'cash_in', amount: 5, currency: 'USD', reason: '' };
  const moved = await post('/movements', { movement });
  expect(await post('/movements', { movement })).toMatchObject({ status: 200, body: moved.body });
  expect(outcomeOf(await post('/movements', { movement: { ...movement, amount: 6 } }))).toEqual([422, 'uuid_reused']);

  const countUuid = randomUUID();
  const counted = await count(105.5, [], countUuid);
  expect(await count(105.5, [], countUuid)).toMatchObject({ status: 200, body: counted.body });
  expect(outcomeOf(await count(1, [], countUuid))).toEqual([422, 'uuid_reused']);

  const closed = await close();
  expect(await close()).toMatchObject({ status: 200, body: closed.body });
  expect(outcomeOf(await close({ closed_by: 999_999 }))).toEqual([422, 'uuid_reused']);
  expect((await read()).movements).toHaveLength(1);
});

test('eight registers that open, count and close at once open, count and close once', async () => {
  const opened = await Promise.all(Array.from({ length: 8 }, () => open()));
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]));
  const countUuid = randomUUID();
  await Promise.all(Array.from({ length: 8 }, () => count(100.5, [], countUuid)));
  const closed = await Promise.all(Array.from({ length: 8 }, () => close()));

  expect(new Set(closed.map(({ status, body }) => `${status} ${body.number}`))).toEqual(new Set(['200 1']));
  expect(await find('pos_closing', { location_id: place.location_id })).toHaveLength(1);
});

test('a drawer has one open session, and a shared drawer one for all its terminals', async () => {
  const { body } = await open();
  const other = { register_session_uuid: randomUUID(), terminal_id: await aTerminalAt(place.location_id) };
  const refused = await open({ ...other, drawer_id: body.drawer_id });

  expect(outcomeOf(refused)).toEqual([409, 'drawer_already_open']);
  expect(refused.body.parameters.register_session_uuid).toBe(uuid);
  expect((await open(other)).status).toBe(200);
});

describe('a count is blind', () => {
  const expected = 1_234.57 + 17.93;
  beforeEach(async () => {
    await open({ opening: [{ currency: 'USD', counted: 1_234.57 }] });
    await sale(17.93);
  });
  const secrets = [expected, 17.93].flatMap((amount) => [String(amount), String(Math.round(amount * 100))]);
  const shows = (body: unknown) => secrets.filter((secret) => JSON.stringify(body).includes(secret));

  test('no answer shows what should be there before the last permitted count', async () => {
    const wrong = await count(1_000);
    expect(wrong.body).toMatchObject({ result: 'recount', number: 1 });
    expect(shows([wrong.body, await read(), (await move({ kind: 'no_sale' })).body])).toEqual([]);

    const last = await count(1_001);
    expect(last.body).toMatchObject({ result: 'accepted', number: 2 });
    expect((await read()).figures).toMatchObject([
      { tender: 'cash', expected, counted: 1_001, difference: 1_001 - expected },
    ]);
  });

  test('the office sees it always', async () => {
    expect((await read(api.tokens.admin)).figures).toMatchObject([{ tender: 'cash', expected }]);
  });
});

test('a movement after the count makes another count necessary, once', async () => {
  await open();
  await count(100.5);
  await sale(9);
  expect(outcomeOf(await close())).toEqual([409, 'recount_required']);
  expect(outcomeOf(await close())).toEqual([409, 'recount_required']);
  expect(await read()).toMatchObject({ state: 'open', counts_permitted: 3 });

  expect((await count(109.5)).body).toMatchObject({ result: 'accepted', not_blind: false });
  expect((await close()).body.document.cash[0]).toMatchObject({ expected: 109.5, over_short: 0 });
});

test('a sale that arrives after the close changes no closing, and is a correction of the next one', async () => {
  await open();
  await sale(10);
  await count(117.5);
  await count(117.5);
  const first = await close();
  expect(first.body).toMatchObject({ has_difference: true, document: { cash: [{ expected: 110.5, over_short: 7 }] } });
  await sale(7);

  const [stored] = await find('pos_closing', { closing_id: first.body.closing_id });
  expect(stored?.['hash']).toBe(first.body.hash);
  uuid = randomUUID();
  await open();
  await count(100.5);
  const next = await close();
  expect(next.body).toMatchObject({ number: 2, previous_hash: first.body.hash });
  expect(next.body.document.late).toEqual([
    { closing_number: 1, currency: 'USD', tender: 'cash', kind: 'sale', count: 1, amount: 7 },
  ]);
  expect(next.body.document.cash[0].expected).toBe(100.5);
  await booksHold();
});

test('a register that was offline opens its session after its sales, and they join it', async () => {
  await sale(12);
  expect(await find('pos_movement', { register_session_uuid: uuid })).toMatchObject([{ session_id: null }]);
  await open();
  await count(112.5);
  expect((await close()).body.document.cash[0]).toMatchObject({ expected: 112.5, over_short: 0 });
});

test('a sale of another store that names the session stays unassigned', async () => {
  await open();
  const { location_id } = await insert('pos_location', { name: 'Elsewhere', code: randomUUID().slice(0, 8) });
  await sale(12, { location_id });
  expect(await find('pos_movement', { register_session_uuid: uuid })).toMatchObject([{ session_id: null }]);
});

test('the night closes a forgotten session without a count, and the next opening shows what was expected', async () => {
  await open();
  await sale(3);
  await forceCloseSession(api.orm.em, uuid);
  expect((await read()).state).toBe('open');
  await change('pos_register_session', { register_session_uuid: uuid }, { forced_after: '2020-01-01' });
  await forceCloseSession(api.orm.em, uuid);
  await forceCloseSession(api.orm.em, uuid);

  expect(outcomeOf(await close())).toEqual([409, 'session_closed']);
  const [closing] = await find('pos_closing', { location_id: place.location_id });
  expect(JSON.parse(String(closing?.['document']))).toMatchObject({
    is_forced: true,
    cash: [{ expected: 103.5, counted: null, over_short: null }],
  });
  uuid = randomUUID();
  const next = await open({ opening: [{ currency: 'USD', counted: 100 }] });
  expect(next.body.opening).toEqual([{ currency: 'USD', counted: 100, expected: 103.5 }]);
});

describe('an administrator opens a closed session again', () => {
  const reopen = (token = api.tokens.admin) => post('/reopen', { reason: 'miscounted' }, token);

  test('and its next closing replaces the one before', async () => {
    await open();
    await count(90);
    await count(90);
    const first = await close();
    expect((await reopen(api.tokens.register)).status).toBe(401);
    expect(await reopen()).toMatchObject({ status: 200, body: { state: 'open' } });
    expect(outcomeOf(await close())).toEqual([409, 'session_not_counted']);
    expect((await count(100.5)).body).toMatchObject({ result: 'accepted', not_blind: true });

    expect((await close()).body).toMatchObject({ number: 2, replaces: 1, previous_hash: first.body.hash });
  });

  test('while no later one was opened', async () => {
    await open();
    expect(outcomeOf(await reopen())).toEqual([409, 'session_not_closed']);
    await count(100.5);
    await close();
    const first = uuid;
    uuid = randomUUID();
    await open();
    uuid = first;
    expect(outcomeOf(await reopen())).toEqual([409, 'later_session']);
  });
});

describe('a difference above the limit', () => {
  const limit = (value: string) =>
    setConfigValue(fork(), secretBox, { path: 'vendor_pos/closing/approve_above', value });
  beforeAll(() => limit('5'));
  afterAll(() => limit(''));
  const approval = (email: string, passcode = '1234') => ({ approval: { email, passcode } });
  beforeEach(async () => {
    await open();
    await count(90);
    await count(90);
  });

  test('needs a second person, whom the closing names', async () => {
    const { email } = await aStaffMember(fork(), { permissions: closes });
    const refused = await close();
    expect(outcomeOf(refused)).toEqual([409, 'approval_required']);
    const { approval_id } = refused.body.parameters;
    expect((await close()).body.parameters.approval_id).toBe(approval_id);
    expect(await read()).toMatchObject({ state: 'counted', approval_id });

    expect((await close(approval(email, '9999'))).status).toBe(401);
    const closed = await close(approval(email));
    expect(closed).toMatchObject({ status: 200, body: { document: { approved_by: 'Ada Lovelace' } } });
    expect(await close(approval(email))).toMatchObject({ status: 200, body: closed.body });
    expect(await read()).toMatchObject({ state: 'closed', approval_id: null });
  });

  test('is not approved by the closer, nor by one who may not close registers', async () => {
    const closer = await aStaffMember(fork(), { permissions: closes });
    expect(outcomeOf(await close({ closed_by: closer.staffId, ...approval(closer.email) }))).toEqual([
      409,
      'not_a_second_person',
    ]);
    const { email } = await aStaffMember(fork());
    expect(outcomeOf(await close(approval(email)))).toEqual([409, 'not_a_second_person']);
    expect((await read()).state).toBe('counted');
  });
});

test('what cannot be is refused, and changes nothing', async () => {
  expect((await open({ opening: [] })).status).toBe(400);
  expect((await open({ opening: [{ currency: 'USD', counted: -1 }] })).status).toBe(400);
  expect((await open({ opening: [{ currency: 'USD', counted: 1.001 }] })).body.message).toContain('cannot be booked');
  expect((await open({ register_session_uuid: 'x' })).status).toBe(400);
  expect((await open({ terminal_id: 999_999 })).status).toBe(404);
  expect((await count(1)).status).toBe(404);
  await open();
  expect((await move({ kind: 'cash_in', amount: 0, currency: 'USD' })).status).toBe(400);
  expect((await move({ kind: 'cash_in', amount: 5, currency: 'EUR' })).status).toBe(400);
  expect((await move({ kind: 'no_sale', amount: 5, currency: 'USD' })).status).toBe(400);
  expect((await count(1, [{ currency: 'USD', tender: 'pebbles', counted: 1 }])).status).toBe(400);
  expect((await count(1, [{ currency: 'EUR', tender: 'cash', counted: 1 }])).status).toBe(400);
  expect(outcomeOf(await close())).toEqual([409, 'session_not_counted']);
  expect(await read()).toMatchObject({ state: 'open', counts_made: 0, movements: [] });
});

describe('each mistake has its sentence', () => {
  const card = '4111 1111 1111 1111';
  const messageOf = ({ status, body }: Answer) => `${status} ${body.message}`;
  const twice = [1, 2].map((counted) => ({ currency: 'USD', counted }));

  test('of an opening', async () => {
    const { location_id } = await insert('pos_location', { name: 'Other', code: randomUUID().slice(0, 8) });
    const elsewhere = { location_id: Number(location_id) };
    const other = await aTerminalAt(elsewhere.location_id);
    const drawer = await api.call('POST', '/V1/pos/drawers', {
      token: api.tokens.admin,
      body: { drawer: { ...elsewhere, name: 'Front' } },
    });
    expect(messageOf(await open({ location_id: 999_999 }))).toBe('404 Location with id %1 does not exist');
    expect(messageOf(await open({ drawer_id: 999_999 }))).toBe('404 Drawer with id %1 does not exist');
    expect(messageOf(await open({ terminal_id: other }))).toBe('400 Terminal %1 belongs to location %2.');
    expect(messageOf(await open({ drawer_id: drawer.body.drawer_id }))).toBe('400 Drawer %1 belongs to location %2.');
    expect(messageOf(await open({ staff_id: 999_999 }))).toBe('400 The member of staff %1 does not exist.');
    expect(messageOf(await open({ opening: twice }))).toBe('400 The currency %1 is listed twice.');
    expect(await find('pos_register_session', { register_session_uuid: uuid })).toEqual([]);
    const nowhere = { location_id: 999_999, name: 'Front' };
    const refused = await api.call('POST', '/V1/pos/drawers', { token: api.tokens.admin, body: { drawer: nowhere } });
    expect(messageOf(refused)).toBe('404 Location with id %1 does not exist');
  });

  test('of a movement', async () => {
    const drop = { kind: 'drop', amount: 5, currency: 'USD' };
    expect(messageOf(await move(drop))).toBe('404 Register session %1 does not exist');
    await open();
    expect(messageOf(await move({ ...drop, amount: 5.001 }))).toContain('400 The amount %1 cannot be booked');
    expect((await move({ ...drop, reason: card })).status).toBe(400);
    await count(100.5);
    await close();
    expect(outcomeOf(await move(drop))).toEqual([409, 'session_closed']);
  });

  test('of a count', async () => {
    await open();
    expect(messageOf(await count(1.001))).toContain('400 The amount %1 cannot be booked');
    expect(messageOf(await count(1, [{ currency: 'USD', tender: 'cash', counted: 1 }]))).toContain('listed twice');
    const cards = [{ currency: 'USD', tender: 'card', counted: 1 }];
    expect(messageOf(await post('/count', { count_uuid: randomUUID(), count: cards }))).toContain('was not counted');
    await count(100.5);
    expect(outcomeOf(await count(100.5))).toEqual([409, 'session_counted']);
    await close();
    expect(outcomeOf(await count(100.5))).toEqual([409, 'session_closed']);
  });

  test('of a close and of opening again', async () => {
    expect((await close()).status).toBe(404);
    const reopen = (reason: string) => post('/reopen', { reason }, api.tokens.admin);
    expect((await reopen('x')).status).toBe(404);
    await open();
    await count(100.5);
    expect(messageOf(await close({ closed_by: 999_999 }))).toContain('400 The member of staff');
    const words = [{ currency: 'USD', tender: 'cash', text: card }];
    expect((await close({ explanations: words })).status).toBe(400);
    expect((await reopen(card)).status).toBe(400);
    const wrong = () => close({ approval: { email: `${uuid}@shop.test`, passcode: '0' } });
    for (let guess = 0; guess < 3; guess++) expect(messageOf(await wrong())).toBe('401 Invalid credentials.');
    expect(messageOf(await wrong())).toContain('401 Too many failed attempts');
    expect((await close()).status).toBe(200);
  });

  test('of a closing', async () => {
    const { status } = await api.call('GET', '/V1/pos/closings/999999', { token: api.tokens.register });
    expect(status).toBe(404);
  });
});
