import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../../local/free-port.ts';
import { findServer } from '../../../local/temporal/find-server.ts';
import { startTemporal } from '../../../local/temporal/start-server.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { aLayawayRegister } from '../../support/layaway-register.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { minutesAgo } from '../../support/moments.ts';

let flow: Flow;
let register: ReturnType<typeof aLayawayRegister>;
let workers: { kill(): Promise<void> }[] = [];

const worker = async () => {
  const started = await aWorkerProcess(flow);
  workers.push(started);
  return started;
};
const open = async (options: Parameters<typeof aFlow>[0] = {}) => {
  flow = await aFlow({ startsWorker: false, ...options });
  register = aLayawayRegister(flow);
};
afterEach(async () => {
  await Promise.all(workers.map((one) => one.kill()));
  workers = [];
  await flow.close();
});

const { cancellationsOf, find, stallWrites, stalledWrites, change, booksHold } = booksOf(() => flow.api.orm);
const payments = (orderId: number) => find('sales_money_in', { order_id: orderId, kind: 'layaway_capture' }, 'amount');
const done = async (orderId: number) => ({
  pay: (await payments(orderId)).length === 2,
  cancel: (await cancellationsOf(orderId)).length === 1,
});

test.each([
  ['a payment', 'sales_money_in', 'pay'],
  ['a cancellation', 'layaway_cancellation', 'cancel'],
] as const)(
  'a worker killed in the middle of %s: the next one does it, once',
  async (_case, table, verb) => {
    await open();
    const first = await worker();
    const { orderId } = await register.place();
    await register.pay(orderId, 40);
    const goOn = await stallWrites({ to: table });

    const again = () => (verb === 'pay' ? register.pay(orderId, 20) : register.cancel(orderId, 20));
    const answer = again();
    await waitUntil('it is half-way', async () => (await stalledWrites()) === 1);
    await first.kill();
    await goOn();
    await worker();

    // Where no worker came in time, the register hears that nothing was done, and that stays true.
    const { status } = await answer;
    expect([200, 503]).toContain(status);
    expect((await done(orderId))[verb]).toBe(status === 200);
    if (status === 503) await waitUntil('it is done', async () => (await again()).status === 200);
    expect(await payments(orderId)).toHaveLength(verb === 'pay' ? 2 : 1);
    await booksHold();
  },
  120_000,
);

test('a workflow terminated in the middle of a payment: the register asks again and it is there once', async () => {
  await open();
  await worker();
  const { orderId } = await register.place();
  await register.pay(orderId, 10);
  const goOn = await stallWrites({ to: 'sales_money_in' });
  const answer = register.pay(orderId, 40, { reference: 'T-1' });
  await waitUntil('it is half-way', async () => (await stalledWrites()) === 1);

  await flow.client.workflow.getHandle(`layaway-${orderId}`).terminate('an operator was in a hurry');
  await goOn();
  await answer;
  const again = await register.pay(orderId, 40, { reference: 'T-1' });

  expect(again).toMatchObject({ status: 200, body: { total_captured: 50 } });
  expect(await payments(orderId)).toHaveLength(2);
  await booksHold();
}, 120_000);

test('Temporal away: placed and read all the same, 503 for what needs it, and repeats answered from the row', async () => {
  const found = await findServer({ environment: process.env, say: () => undefined });
  if (!('binary' in found)) return;
  const place = {
    binary: found.binary,
    port: await freePort(),
    dataFile: join(mkdtempSync(join(tmpdir(), 'pos-temporal-')), 'dev.db'),
  };
  let temporal = await startTemporal(place);
  try {
    await open({ temporalAddress: temporal.address });
    await worker();
    const { orderId } = await register.place();
    await register.pay(orderId, 40, { reference: 'T-1' });
    process.kill(temporal.pid, 'SIGKILL');
    await temporal.ended;

    const lost = await register.place();
    const refused = await register.pay(orderId, 20, { reference: 'T-2' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect((await register.pay(orderId, 40, { reference: 'T-1' })).body).toMatchObject({ total_captured: 40 });
    expect(await payments(orderId)).toHaveLength(1);

    temporal = await startTemporal(place);
    await waitUntil(
      'payments are taken again',
      async () => {
        const paid = await register.pay(orderId, 20, { reference: 'T-2' });
        return paid.status === 200 && paid.body.total_captured === 60;
      },
      120_000,
    );
    await change('sales_order', { entity_id: lost.orderId }, { created_at: minutesAgo(60) });
    await lookNow(flow);
    const followed = await flow.client.workflow.getHandle(`layaway-${lost.orderId}`).describe();
    expect(followed.status.name).toBe('RUNNING');
    expect(await payments(orderId)).toHaveLength(2);
  } finally {
    await Promise.all(workers.map((one) => one.kill()));
    workers = [];
    await temporal.stop();
  }
}, 240_000);
