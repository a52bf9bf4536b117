import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { stateQuery } from '../../../workflows/register-sessions/messages.ts';
import { booksOf } from '../../support/books.ts';
import { aStaffMember } from '../../support/builders/counter.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { recordHistory } from '../../support/record-history.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** The life of a register session on the real Temporal server. */
let flow: Flow;
let uuid: string;
let place: { location_id: number; terminal_id: number; staff_id: number };
const workers: { kill(): Promise<void> }[] = [];

beforeEach(() => {
  uuid = randomUUID();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((one) => one.kill()));
  await flow.close();
});

const { fork, insert, change, find, stallWrites, stalledWrites, booksHold } = booksOf(() => flow.api.orm);

async function start(options: Parameters<typeof aFlow>[0] = {}): Promise<void> {
  flow = await aFlow(options);
  const { location_id: location } = await insert('pos_location', { name: 'Drawers', code: 'DRAWERS' });
  const { terminal_id: terminal } = await insert('pos_terminal', { name: 'Register', location_id: Number(location) });
  const { staffId } = await aStaffMember(fork());
  place = { location_id: Number(location), terminal_id: Number(terminal), staff_id: staffId };
}
const worker = async () => {
  const started = await aWorkerProcess(flow);
  workers.push(started);
  return started;
};

const id = () => `register-session-${uuid}`;
const press = (path: string, body: unknown, token = flow.api.tokens.register) =>
  flow.api.call('POST', `/V1/pos/register-sessions${path}`, { token, body });
const opening = [{ currency: 'USD', counted: 100 }];
const open = () => press('', { session: { register_session_uuid: uuid, ...place, opening } });
const count = (counted = 100, countUuid = randomUUID()) =>
  press(`/${uuid}/count`, { count_uuid: countUuid, count: [{ currency: 'USD', tender: 'cash', counted }] });
const close = () => press(`/${uuid}/close`, { closed_by: place.staff_id });
const state = () => flow.client.workflow.getHandle(id()).query(stateQuery);

test('Temporal shows a session from its opening to its closing, and a new run where it is opened again', async () => {
  await start();
  await open();
  expect(await state()).toMatchObject({ state: 'open' });
  await press(`/${uuid}/movements`, {
    movement: {
      movement_uuid: randomUUID(),
      kind: 'cash_in',
      amount: 20,
      currency: 'USD',
      reason: 'change of the day',
    },
  });
  await count(90);
  await count(120);
  await close();
  expect(await flow.client.workflow.result(id())).toBe('closed');
  await recordHistory(flow.client, id(), 'register-session-closed');

  await press(`/${uuid}/reopen`, { reason: 'miscounted' }, flow.api.tokens.admin);
  expect(await state()).toMatchObject({ state: 'open' });
  await count(120);
  await close();
  expect(await flow.client.workflow.result(id())).toBe('closed');
  await recordHistory(flow.client, id(), 'register-session-reopened');
  await booksHold();
});

test('no history contains an amount or a comment', async () => {
  await start();
  await open();
  await press(`/${uuid}/movements`, {
    movement: { movement_uuid: randomUUID(), kind: 'drop', amount: 17.31, currency: 'USD', reason: 'to Mr Smith' },
  });
  const history = await flow.client.workflow.getHandle(id()).fetchHistory();
  const text = (history.events ?? []).map((event) => JSON.stringify(event)).join();
  const payloads = [...text.matchAll(/"data":"([^"]+)"/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString(),
  );
  expect(payloads.length).toBeGreaterThan(5);
  expect(payloads.filter((payload) => /173100|17\.31|Smith/.test(payload))).toEqual([]);
});

test('the night closes a session that nobody closed, also one whose workflow was lost', async () => {
  await start();
  const named = { register_session_uuid: uuid };
  await open();
  await flow.client.workflow.getHandle(id()).terminate('an operator was in a hurry');
  await change('pos_register_session', named, { forced_after: '2020-01-01' });
  await lookNow(flow);
  await waitUntil('it is closed', async () => (await find('pos_register_session', named))[0]?.['state'] === 'closed');
  await recordHistory(flow.client, id(), 'register-session-forced');

  expect(await find('pos_closing', { location_id: place.location_id })).toMatchObject([{ is_forced: true, number: 1 }]);
  await booksHold();
});

test('a refused opening leaves no session, and its run ends', async () => {
  await start();
  await open();
  const first = uuid;
  uuid = randomUUID();
  expect((await open()).body.parameters).toMatchObject({
    outcome: 'drawer_already_open',
    register_session_uuid: first,
  });
  expect(await flow.client.workflow.result(id())).toBe('unknown');
});

test.each([
  ['an opening', 'pos_register_session', open],
  ['a count', 'pos_session_count', () => count(100, countUuid)],
  ['a close', 'pos_closing', close],
] as const)('a worker killed in the middle of %s: the next one does it, once', async (_case, table, verb) => {
  await start({ startsWorker: false });
  const first = await worker();
  if (verb !== open) await open();
  if (verb === close) await count();
  const goOn = await stallWrites({ to: table });

  const answer = verb();
  await waitUntil('it is half-way', async () => (await stalledWrites()) === 1);
  await first.kill();
  await goOn();
  await worker();

  // Where no worker came in time, the register is answered that nothing was done, and that stays true.
  const { status } = await answer;
  expect([200, 503]).toContain(status);
  if (status === 503) await waitUntil('it is done', async () => (await verb()).status === 200);
  expect(await find(table, {})).toHaveLength(1);
  await booksHold();
});
const countUuid = randomUUID();
