import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findServer } from '../../../local/temporal/find-server.ts';
import { startTemporal, type TemporalServer } from '../../../local/temporal/start-server.ts';
import type { Answer } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { hold } from '../../support/books/held.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aLayawayRegister } from '../../support/layaway-register.ts';
import { aWorkerProcess, type OwnProcess } from '../../support/own-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** What a register hears while something stands still, and that it stays true once all goes on. */
let flow: Flow;
let register: ReturnType<typeof aLayawayRegister>;
let workers: OwnProcess[] = [];
let temporal: TemporalServer | undefined;

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
  await temporal?.stop();
  temporal = undefined;
});

const { find, cancellationsOf, booksHold } = booksOf(() => flow.api.orm);
const verbs = ['pay', 'cancel'] as const;
type Verb = (typeof verbs)[number];
const press = (verb: Verb, orderId: number) =>
  verb === 'pay' ? register.pay(orderId, 20) : register.cancel(orderId, 20);
/** How often it was done; payments of the test itself have a reference. */
const timesDone = async (verb: Verb, orderId: number) => {
  const own = { order_id: orderId, kind: 'layaway_capture', reference: null };
  return (verb === 'pay' ? await find('sales_money_in', own) : await cancellationsOf(orderId)).length;
};

/** No gateway is asked, so no answer takes as long as one. */
const promised = async (answer: Promise<Answer>): Promise<Answer> => {
  const begun = performance.now();
  const { status, body, headers } = await answer;
  expect(performance.now() - begun).toBeLessThan(12_000);
  return { status, body, headers };
};
const notBegun = {
  status: 503,
  body: { message: 'The request waited too long, and nothing was done. Try again later.' },
};
/** A cashier at each of two layaways: one takes a payment, the other cancels. */
const place = async () => {
  const placed = await Promise.all(verbs.map(async (verb) => ({ verb, orderId: (await register.place()).orderId })));
  return {
    placed,
    pressBoth: () => Promise.all(placed.map(({ verb, orderId }) => promised(press(verb, orderId)))),
    /** Everything goes on: what was sent earlier has its turn before this. */
    staysTrue: async (answers: readonly Answer[]): Promise<void> => {
      for (const [at, { verb, orderId }] of placed.entries()) {
        await waitUntil('the layaway is served again', async () => {
          const later = await register.pay(orderId, 1, { reference: 'later' });
          return later.status === 200 || later.status === 400;
        });
        expect([verb, await timesDone(verb, orderId)]).toEqual([verb, answers[at]?.status === 200 ? 1 : 0]);
      }
      await booksHold();
    },
  };
};
const followed = (orderIds: readonly number[]) =>
  waitUntil('they are followed', async () => {
    const orders = await find('sales_order', {}, 'entity_id', 'pos_layaway_followed_at');
    return orderIds.every((id) =>
      orders.some(({ entity_id: one, pos_layaway_followed_at: at }) => Number(one) === id && at !== null),
    );
  });

test('no worker: nothing was done, and a worker that comes later does nothing', async () => {
  await open();
  const { pressBoth, staysTrue } = await place();

  const answers = await pressBoth();
  expect(answers).toMatchObject([notBegun, notBegun]);
  expect(answers[0]?.headers.get('retry-after')).toMatch(/^\d+$/);

  await worker();
  await staysTrue(answers);
});

test('a worker that stands still: nothing was done, and nothing is done when it goes on', async () => {
  await open();
  const still = await worker();
  const { placed, pressBoth, staysTrue } = await place();
  await followed(placed.map(({ orderId }) => orderId));
  still.child.kill('SIGSTOP');

  const answers = await pressBoth();
  expect(answers).toMatchObject([notBegun, notBegun]);
  still.child.kill('SIGCONT');
  await staysTrue(answers);
});

test('orders that another transaction holds: nothing was done, and nothing is when they are free', async () => {
  await open();
  await worker();
  const { placed, pressBoth, staysTrue } = await place();
  const answers = await flow.api.orm.em.fork().transactional(async (holder) => {
    for (const { orderId } of placed) await hold(holder, 'sales_order', { entity_id: orderId });
    return pressBoth();
  });
  expect(answers).toMatchObject([notBegun, notBegun]);
  await staysTrue(answers);
});

test('Temporal that stands still in the middle of it: what is told is what happened', async () => {
  const found = await findServer({ environment: process.env, say: () => undefined });
  if (!('binary' in found)) return;
  const dataFile = join(mkdtempSync(join(tmpdir(), 'pos-temporal-')), 'dev.db');
  temporal = await startTemporal({ binary: found.binary, dataFile });
  await open({ temporalAddress: temporal.address });
  await worker();
  const { placed, pressBoth, staysTrue } = await place();
  await followed(placed.map(({ orderId }) => orderId));

  const sent = pressBoth();
  process.kill(temporal.pid, 'SIGSTOP');
  const answers = await sent;
  process.kill(temporal.pid, 'SIGCONT');

  expect([200, 503]).toEqual(expect.arrayContaining(answers.map(({ status }) => status)));
  await staysTrue(answers);
});
