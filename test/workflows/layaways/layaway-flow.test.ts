import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { FollowedLayaway } from '../../../domain/layaways.ts';
import { money, zero } from '../../../domain/money.ts';
import { freePort } from '../../../local/free-port.ts';
import { findServer } from '../../../local/temporal/find-server.ts';
import { startTemporal, type TemporalServer } from '../../../local/temporal/start-server.ts';
import { layawayDetails } from '../../../workflows/layaways.ts';
import type { Answer } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { hold } from '../../support/books/held.ts';
import { aPayment } from '../../support/builders/layaway.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { aLayawayRegister } from '../../support/layaway-register.ts';
import { minutesAgo } from '../../support/moments.ts';
import { aWorkerProcess, type OwnProcess } from '../../support/own-process.ts';
import { recordHistory } from '../../support/record-history.ts';
import { patiently } from '../../support/patiently.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  ended,
  flow,
  followed,
  handle,
  opensAShop,
  payPatiently,
  register,
  standings,
  statusOf,
  sweep,
  timers,
  view,
} from './layaways-with-workflows.ts';

describe('layaway crashes', () => {
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
  const payments = (orderId: number) =>
    find('sales_money_in', { order_id: orderId, kind: 'layaway_capture' }, 'amount');
  const done = async (orderId: number) => ({
    pay: (await payments(orderId)).length === 2,
    cancel: (await cancellationsOf(orderId)).length === 1,
  });

  test.each([
    ['a payment', 'sales_money_in', 'pay'],
    ['a cancellation', 'layaway_cancellation', 'cancel'],
  ] as const)('a worker killed in the middle of %s: the next one does it, once', async (_case, table, verb) => {
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
  });

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
  });

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
      await waitUntil('payments are taken again', async () => {
        const paid = await register.pay(orderId, 20, { reference: 'T-2' });
        return paid.status === 200 && paid.body.total_captured === 60;
      });
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
  });
});

describe('layaway details', () => {
  const aFollowedLayaway = (wanted: Partial<FollowedLayaway>): FollowedLayaway => ({
    orderId: 9,
    orderIncrementId: '000000009',
    state: 'pending_payment',
    status: 'open',
    balanceOwed: money('68'),
    currencyCode: 'USD',
    expiresAt: '2027-01-31T00:00:00.000Z',
    expiresInMs: 1_000,
    ...wanted,
  });

  const nothingYet = { lastRequest: null, lastRefusal: null };

  test('who asked last is shown by the name of the token, as it was written', () => {
    const lastRequest = {
      verb: 'capture',
      by: 'till *3*',
      requestId: 'r-1',
      amount: money('40'),
      paymentMethod: 'cash',
    };

    expect(layawayDetails(aFollowedLayaway({}), { lastRequest, lastRefusal: null })).toContain(
      '- Last request: capture of $40.00 by cash, asked by `till *3*` (request r-1)',
    );
  });

  test('a layaway that owes something waits for payments until its day', () => {
    expect(layawayDetails(aFollowedLayaway({}), nothingYet)).toMatch(/\$68\.00 is owed\. It expires at 2027-01-31/);
  });

  test.each(['open', 'stale'] as const)(
    'a layaway that is %s and owes nothing waits for no payment, is not cancelled and never expires',
    (status) => {
      const details = layawayDetails(aFollowedLayaway({ status, state: 'processing', balanceOwed: zero }), nothingYet);

      expect(details).toContain('Paid in full, so it never expires and cannot be cancelled: its goods must be');
      expect(details).not.toMatch(/is owed|owed:|expires at|\/cancel`|\/payments`/);
    },
  );

  test('one that is paid and has its invoice open waits to be settled, whatever its status says', () => {
    expect(layawayDetails(aFollowedLayaway({ balanceOwed: zero }), nothingYet)).toContain('Waits to be settled');
  });
});

describe('layaway flow', () => {
  opensAShop();

  const { memosOf, theOrder, find, storyOf, change, remove, booksHold } = booksOf(() => flow.api.orm);

  test('placed, paid in parts, settled on the platform: a life of at most ten events and eight a payment', async () => {
    const { orderId, incrementId } = await register.place();
    await followed(orderId);

    const deposit = await register.pay(orderId, 40, { reference: 'T-1' });
    expect(deposit).toMatchObject({
      status: 200,
      body: {
        order_id: orderId,
        order_increment_id: incrementId,
        total_captured: 40,
        balance_owed: 68,
        status: 'open',
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
      },
    });
    expect((await register.pay(orderId, 100)).body).toMatchObject({ total_captured: 108, status: 'ready_to_settle' });
    expect((await register.pay(orderId, 5)).body).toMatchObject({ total_captured: 108, balance_owed: 0 });
    const { typedSearchAttributes } = await handle(orderId).describe();
    expect(JSON.stringify(typedSearchAttributes)).toContain('ready_to_settle');

    expect((await register.settle(orderId)).body).toBe(true);
    expect(await ended(orderId)).toBe('ready_to_settle');
    expect(await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-paid-and-settled')).toBeLessThanOrEqual(
      10 + 8 * 3 + 6,
    );
    expect(await statusOf(orderId)).toBe('ready_to_settle');
    expect((await register.cancel(orderId)).status).toBe(400);
    expect((await register.pay(orderId, 1)).body).toMatchObject({ total_captured: 108, status: 'ready_to_settle' });
  });

  test('cancelled with a fee: the answer, the rows, and a repeat', async () => {
    const { orderId, incrementId } = await register.place();
    await register.pay(orderId, 40);

    const cancelled = await register.cancel(orderId, 20, { reason: 'Ann moved away' });

    const [memo] = await memosOf(orderId, 'increment_id');
    expect([cancelled.status, cancelled.body]).toEqual([
      200,
      {
        order_id: orderId,
        order_increment_id: incrementId,
        total_captured: 40,
        balance_owed: 0,
        status: 'cancelled',
        expires_at: expect.any(String),
        cancellation_fee: 8,
        refund_amount: 32,
        refund_method: 'cash',
        credit_memo_increment_id: Reflect.get(memo!, 'increment_id'),
        credit_legs: [],
      },
    ]);
    expect(await register.order(orderId)).toMatchObject({ state: 'canceled', total_refunded: 32 });
    expect(await register.cancel(orderId, 20)).toMatchObject({
      status: 400,
      body: { message: 'The layaway is already cancelled.' },
    });
    expect(await ended(orderId)).toBe('cancelled');
    await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-cancelled');
    const history = await handle(orderId).fetchHistory();
    expect(JSON.stringify(history)).not.toContain('moved away');
  });

  test('refused beneath the route: the workflow goes on, and cancels when the fee is right', async () => {
    const { orderId } = await register.place();
    await followed(orderId);
    const request = { ...aPayment(orderId, '-1'), by: 'nobody', requestId: 'none' };

    expect(await handle(orderId).executeUpdate('capture', { args: [request] })).toEqual({
      refused: { status: 400, message: 'Layaway capture amount must be positive' },
    });

    expect((await register.cancel(orderId)).body).toMatchObject({ refund_amount: 0, credit_memo_increment_id: null });
    expect(await ended(orderId)).toBe('cancelled');
    await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-refused-then-cancelled');
  });

  test('the day it expires: the timer flags it, it can still be paid in part and cancelled', async () => {
    const { orderId } = await register.place(new Date(Date.now() + 6_000));
    expect(await statusOf(orderId)).toBe('open');

    await waitUntil('it is overdue', async () => (await statusOf(orderId)) === 'stale');
    expect((await register.pay(orderId, 10)).body).toMatchObject({ status: 'stale', balance_owed: 98 });
    expect((await register.cancel(orderId, 50)).body).toMatchObject({ status: 'cancelled', refund_amount: 5 });

    expect(await ended(orderId)).toBe('cancelled');
    await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-expired-by-timer');
  });

  test('a later expiry, saved with the order, sets the timer anew', async () => {
    const { orderId } = await register.place(new Date(Date.now() + 60_000));
    await followed(orderId);
    const later = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 86_400_000);

    await register.call('POST', '/V1/orders', {
      entity: { entity_id: orderId, extension_attributes: { pos_layaway_expires_at: later.toISOString() } },
    });

    await waitUntil('the workflow has heard', async () => (await view(orderId)).expiresAt === later.toISOString());
    const { pos_layaway_expires_at: expires } = await theOrder(orderId, 'pos_layaway_expires_at');
    expect(Date.parse(expires)).toBeGreaterThan(Date.now());
    await register.cancel(orderId);
    expect(await ended(orderId)).toBe('cancelled');
    await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-expiry-moved');
  });

  test('the hourly job flags it and tells its workflow; the minute starts the workflows that are missing', async () => {
    const { orderId } = await register.place();
    await followed(orderId);
    const lost = await register.place();
    await followed(lost.orderId);
    await handle(lost.orderId).terminate('Temporal was away when it was placed');
    const unfollowed = { pos_layaway_followed_at: null, created_at: minutesAgo(60) };
    await change('sales_order', { entity_id: lost.orderId }, unfollowed);
    // By hand, so that no timer knows.
    await change('sales_order', { entity_id: orderId }, { pos_layaway_expires_at: minutesAgo(60) });

    const done = await sweep(`sweep-${orderId}`);
    await sweep(`sweep-${orderId}-again`);

    expect(done).toMatchObject({ stale: 1 });
    expect((await lookNow(flow)).counts).toMatchObject({ layaways: 1 });
    await recordHistory(flow.client, `sweep-${orderId}`, 'expire-layaways');
    await waitUntil('its workflow knows', async () => (await view(orderId)).status === 'stale');
    await followed(lost.orderId);
    expect((await storyOf(orderId)).filter((comment) => comment.includes('overdue'))).toHaveLength(1);
    for (const id of [orderId, lost.orderId]) {
      await register.cancel(id);
      expect(await ended(id)).toBe('cancelled');
    }
    await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-stale-by-job');
  });

  test('paid in full by collecting credit due: it waits for no day any more, and is never flagged', async () => {
    const pos_layaway_expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { orderId } = await register.place(null, {
      extension_attributes: { pos_layaway_status: 'open', pos_layaway_expires_at, pos_credit_due: 108 },
    });
    await followed(orderId);
    await register.call('POST', `/V1/pos/orders/${orderId}/due-payments`, { reference: 'D-1', amount: 108 });
    await handle(orderId).signal('refresh');
    await waitUntil('the timer is gone', async () => JSON.stringify(await timers(orderId)) === '[1,1]');
    await handle(orderId).terminate('the test is over');
  });

  test('overdue from the start: flagged at once', async () => {
    const { orderId } = await register.place(new Date(Date.now() - 60_000));
    await waitUntil('it is overdue', async () => (await statusOf(orderId)) === 'stale');
    await register.cancel(orderId);
    expect(await ended(orderId)).toBe('cancelled');
    await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-overdue-from-the-start');
  });

  test('cancelled behind its workflow, as after a lost answer: whoever asks again ends it, within no hour', async () => {
    const { orderId } = await register.place();
    await followed(orderId);
    await change('sales_order', { entity_id: orderId }, { pos_layaway_status: 'cancelled', state: 'canceled' });

    expect((await register.cancel(orderId)).status).toBe(400);

    expect(await ended(orderId)).toBe('cancelled');
    await remove('sales_order_status_history', { parent_id: orderId });
    await change('sales_order', { entity_id: orderId }, { pos_layaway_status: null });
  });

  test('terminated by an operator: the next payment rebuilds it from the row', async () => {
    const { orderId } = await register.place();
    await register.pay(orderId, 40, { reference: 'T-1' });
    await handle(orderId).terminate('an operator was in a hurry');

    expect((await register.pay(orderId, 40, { reference: 'T-1' })).body).toMatchObject({ total_captured: 40 });
    expect((await register.pay(orderId, 20, { reference: 'T-2' })).body).toMatchObject({ total_captured: 60 });

    await register.cancel(orderId, 100);
    expect(await ended(orderId)).toBe('cancelled');
    await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-rebuilt');
  });

  test.each(standings)('started from nothing but the id of a layaway that is %s', async (status, set, expected) => {
    const { orderId } = await register.place();
    await followed(orderId);
    await handle(orderId).terminate('to start from nothing');
    await change('sales_order', { entity_id: orderId }, set);

    await flow.client.workflow.start('layawayWorkflow', {
      taskQueue: flow.taskQueue,
      workflowId: `layaway-${orderId}`,
      args: [{ orderId }],
    });

    await waitUntil('it was looked at', async () => (await view(orderId)).status === status);
    await waitUntil(`it is ${expected}`, async () => (await handle(orderId).describe()).status.name === expected);
    if (expected === 'RUNNING') await handle(orderId).terminate('the test is over');
    await remove('sales_order_status_history', { parent_id: orderId });
    await change(
      'sales_order',
      { entity_id: orderId },
      { pos_layaway_status: null, total_paid: 0, base_total_paid: 0 },
    );
  });

  test('eight registers at once with one reference, then eight cancellations: one payment, one memo', async () => {
    const { orderId } = await register.place();
    const paid = await eightAtOnce(() => register.pay(orderId, 40, { reference: 'T-1' }));
    expect(paid.map(({ body }) => body.total_captured)).toEqual(Array.from({ length: 8 }, () => 40));

    const answers = await eightAtOnce(() => patiently(() => register.cancel(orderId, 10)));

    // One whose answer was late finds the layaway cancelled when it asks again.
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(7);
    expect(await memosOf(orderId)).toHaveLength(1);
    await booksHold();
  });

  test.each([2, 50])(
    '%i registers at once: with one reference one payment, with their own as many as fit',
    async (count) => {
      const [one, many] = [await register.place(), await register.place()];
      const same = await atOnce(count, () => payPatiently(one.orderId, 'T-1', 40));
      const each = await atOnce(count, (at) => payPatiently(many.orderId, `T-${at}`));

      expect([...same, ...each].map(({ status }) => status)).toEqual(Array.from({ length: 2 * count }, () => 200));
      expect(new Set(same.map(({ body }) => body.total_captured))).toEqual(new Set([40]));
      const amounts = await find('sales_money_in', { order_id: many.orderId, kind: 'layaway_capture' }, 'amount');
      expect(amounts.map(({ amount }) => Number(amount))).toEqual([43.2, 43.2, 21.6].slice(0, count));
      await booksHold();
    },
  );
});

describe('layaway patience', () => {
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
});
