import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { invariants } from '../../../books/verify/verify.ts';
import { replayHeader } from '../../../api/http/within.ts';
import { dayOf } from '../../../domain/telemetry.ts';
import { booksOf } from '../../support/books.ts';
import { waiting } from '../../support/books/held.ts';
import { aReceipt, aStaffMember, aTerminal, secretKey } from '../../support/builders/counter.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { someTelemetry } from '../../support/builders/telemetry.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { housekeeper, lookNow } from '../../support/housekeeping.ts';
import { aLayawayRegister } from '../../support/layaway-register.ts';
import { daysAgo } from '../../support/moments.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { timeGoesBy } from '../../support/time-goes-by.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { writeSchedules } from '../../../worker/schedules.ts';
import { firstId } from '../../support/first-id.ts';

describe('a quarter goes by', () => {
  /** A shop that is left alone for days and months, with all that is open at its till. */
  let flow: Flow;
  let register: Register;
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 2, reconcileAfterSeconds: 0, settings: { POS_SECRET_KEY: secretKey } });
    register = aRegister(flow);
  });
  afterAll(async () => {
    await housekeeper(flow).terminate('the test is over');
    await flow.close();
  });

  const { fork, howMany, find, theReturn, theOrder, booksHold } = booksOf(() => flow.api.orm);
  const goBy = (by: { days?: number; seconds?: number }) => timeGoesBy(flow.api, by);
  let nights = 0;
  /** All that runs at night, and the minute's look. */
  async function aNight(): Promise<void> {
    const { taskQueue, client } = flow;
    nights += 1;
    for (const workflow of ['expireLayaways', 'purgeOneTimeCodes', 'purgeLeftovers', 'rollUpTelemetry'])
      await client.workflow.execute(workflow, {
        ...{ taskQueue, workflowId: `${workflow}-${nights}-${taskQueue}`, args: [] },
      });
    await lookNow(flow, { everything: true });
  }

  const signIn = (email: string, passcode: string) =>
    register.call('POST', '/V1/pos/staff/authenticate', { email, passcode });
  const validate = (token: string) => register.call('POST', '/V1/pos/staff/session/validate', { token });

  test('a cashier’s session holds for thirty days, then has expired, and is unknown a month later', async () => {
    const { email } = await aStaffMember(fork());
    const { token } = (await signIn(email, '1234')).body;
    await goBy({ days: 29, seconds: 86_390 });
    await aNight();
    expect((await validate(token)).status).toBe(200);
    await goBy({ seconds: 11 });
    expect(await validate(token)).toMatchObject({ status: 401, body: { message: 'Session has expired.' } });
    await goBy({ days: 29 });
    await aNight();
    expect(await validate(token)).toMatchObject({ status: 401, body: { message: 'Session has expired.' } });
    await goBy({ days: 2 });
    await aNight();
    expect(await validate(token)).toMatchObject({ status: 401, body: { message: 'Invalid session token.' } });
    expect((await signIn(email, '1234')).status).toBe(200);
  });

  test('wrong passcodes count for a day, whatever waits lie between them, and then no more', async () => {
    const { email } = await aStaffMember(fork());
    const waits: number[] = [];
    const guess = async () => {
      const { body } = await signIn(email, '0000');
      if (body.message === 'Invalid credentials.') return;
      waits.push(Number(body.parameters[0]));
      await goBy({ seconds: Number(body.parameters[0]) + 1 });
      expect((await signIn(email, '0000')).body.message).toBe('Invalid credentials.');
    };
    for (let wrong = 0; wrong < 13; wrong++) await guess();
    expect(waits.map((wait) => [15, 60, 300, 1_800].find((rung) => wait <= rung))).toEqual([
      ...[15, 15, 60, 60, 60, 300, 300, 300, 300, 1_800],
    ]);
    expect((await signIn(email, '1234')).body.message).toMatch(/^Too many failed attempts/);
    await goBy({ days: 1 });
    await aNight();
    for (let wrong = 0; wrong < 2; wrong++)
      expect((await signIn(email, '0000')).body.message).toBe('Invalid credentials.');
    expect((await signIn(email, '1234')).status).toBe(200);
  });

  test('a name of the platform that was locked out signs in the next day, and its tokens end', async () => {
    const email = `ann-${flow.taskQueue}@shop.test`;
    const customer = { email, firstname: 'Ann', lastname: 'Lee' };
    const { call } = flow.api;
    await call('POST', '/V1/customers', {
      token: flow.api.tokens.admin,
      body: { customer, password: 'Paper-Lantern-7' },
    });
    const asks = (password: string) =>
      call('POST', '/V1/integration/customer/token', { body: { username: email, password } });
    const { body: token } = await asks('Paper-Lantern-7');
    for (let wrong = 0; wrong < 10; wrong++) await asks('wrong');
    expect((await asks('Paper-Lantern-7')).status).toBe(401);
    await goBy({ days: 1 });
    await aNight();
    expect((await call('GET', '/V1/customers/me', { token })).status).toBe(401);
    expect((await asks('Paper-Lantern-7')).status).toBe(200);
  });

  test('a request is known by its key for a week, and a new one after it', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const save = (code: string) =>
      flow.api.call('POST', '/V1/customerGroups', {
        ...{ token: flow.api.tokens.admin, headers, body: { group: { code, tax_class_id: 3 } } },
      });
    const made = await save('Friends');
    await goBy({ days: 6 });
    await aNight();
    const again = await save('Friends');
    expect([again.body.id, again.headers.get(replayHeader)]).toEqual([made.body.id, 'true']);
    await goBy({ days: 2 });
    await aNight();
    expect((await save('Strangers')).body.id).not.toBe(made.body.id);
  });

  test('events are kept for ninety days, with their sums', async () => {
    const today = new Date();
    await someTelemetry(fork(), { day: dayOf(today, -1), count: 3 });
    await aNight();
    const kept = async () => [await howMany('pos_telemetry_event'), await howMany('pos_telemetry_summary')];
    expect(await kept()).toEqual([3, 1]);
    await goBy({ days: 88 });
    await aNight();
    expect(await kept()).toEqual([3, 1]);
    await goBy({ days: 2 });
    await aNight();
    expect(await kept()).toEqual([0, 0]);
  });

  test('what is open stays open for a quarter, and ends as on the first day', async () => {
    // Of cents like these the processor never says what became of them.
    const doubtful = await register.returnOne(await register.sale('12.73'), { refundMethod: 'original_payment' });
    const parked = await register.returnOne(await register.sale('13.73'));
    const payload = await register.settle(parked.body.id, { method: 'original_payment', rawPayload: 'printed' });
    const asked = await register.returnOne(await register.sale('14.00'), { autoApprove: false });
    const cash = await register.returnOne(await register.sale('15.00'));
    const layaways = aLayawayRegister(flow);
    const layaway = await layaways.place();
    await layaways.pay(layaway.orderId, 8);
    const { terminalId } = await aTerminal(fork());
    const sold = aReceipt(terminalId);
    const entity = aPostedSale({
      ...{ customer_id: null, customer_is_guest: 1, extension_attributes: { pos_sale_id: sold.sale_id } },
    });
    expect((await register.call('POST', '/V1/orders', { entity })).status).toBe(200);
    const receipt = await register.call('POST', '/V1/pos/receipts', { receipt: sold });
    const cart = { location_id: firstId, cart_uuid: randomUUID(), cart_data: '{}', item_count: 1, grand_total: 1 };
    const held = await register.call('POST', '/V1/pos/held-carts', { heldCart: { ...cart, currency_code: 'USD' } });
    expect([doubtful.status, payload.status]).toEqual([409, 409]);

    for (const days of [6, 25, 30, 31]) {
      await goBy({ days });
      await aNight();
    }

    expect(await theOrder(layaway.orderId, 'pos_layaway_status')).toEqual({ pos_layaway_status: 'stale' });
    expect(await layaways.pay(layaway.orderId, 100)).toMatchObject({ status: 200 });
    const attempts = await find('refund_attempt', { state: 'uncertain' }, 'attempt_id');
    expect(attempts).toHaveLength(2);
    expect(await howMany('sale_return_settle_payload', { raw_payload: 'printed' })).toBe(1);
    for (const { attempt_id: attemptId } of attempts) {
      const path = `/V1/pos/rma/refund-attempts/${Number(attemptId)}/resolve`;
      const word = { resolution: 'refunded', staffName: 'Olga', note: 'seen in the portal' };
      expect(await register.call('POST', path, word)).toMatchObject({ status: 200, body: { state: 'booked' } });
    }
    for (const id of [doubtful.body.parameters.return_id, parked.body.id])
      expect(await theReturn(id, 'status')).toEqual({ status: 'closed' });
    expect(await register.settle(cash.body.id, { method: 'cash' })).toMatchObject({ body: { status: 'closed' } });
    const { body: approved } = await register.call('PUT', `/V1/pos/rma/${asked.body.id}/status`, {
      status: 'approved',
    });
    expect(approved.status).toBe('approved');
    expect((await flow.api.call('GET', `/receipt/${receipt.body.receipt_token}`)).status).toBe(200);
    const again = await register.call('POST', '/V1/pos/receipts', { receipt: sold });
    expect(again.body.receipt_id).toBe(receipt.body.receipt_id);
    const recall = `/V1/pos/held-carts/${held.body.held_cart_id}/recall`;
    expect((await register.call('POST', recall, { staffId: 1 })).status).toBe(200);
    await booksHold();
  });
});

describe('purge leftovers', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await aFlow();
  });
  afterAll(() => flow.close());

  const { howMany, insertAll } = booksOf(() => flow.api.orm);

  test('the night’s run removes what is out of date, batch after batch; two runs at once remove the same', async () => {
    const old = { attempts: 1, window_ends_at: daysAgo(2) };
    await insertAll(
      'rate_limit',
      Array.from({ length: 12_000 }, (_, at) => ({ bucket: String(at), ...old })),
    );
    const night = (name: string) =>
      flow.client.workflow.execute('purgeLeftovers', {
        taskQueue: flow.taskQueue,
        workflowId: `purge-${name}-${flow.taskQueue}`,
        args: [],
      }) as Promise<Record<string, number>>;

    const nights = await Promise.all([night('1'), night('2')]);
    await recordHistory(flow.client, `purge-1-${flow.taskQueue}`, 'purge-leftovers');

    expect(nights.reduce((sum, removed) => sum + (removed['rate_limit'] ?? 0), 0)).toBe(12_000);
    expect(await howMany('rate_limit')).toBe(0);
  });

  test('a night with a long history goes on in a new run, counts on, and leaves the rest to the next night', async () => {
    const old = { attempts: 1, window_ends_at: daysAgo(2) };
    await insertAll(
      'rate_limit',
      Array.from({ length: 6_000 }, (_, at) => ({ bucket: String(at), ...old })),
    );

    const removed = await flow.client.workflow.execute('purgeLeftovers', {
      taskQueue: flow.taskQueue,
      workflowId: `purge-on-${flow.taskQueue}`,
      args: [{ removed: { rate_limit: 7, mail_outbox: 2 }, batches: 1_999 }],
    });

    expect(removed).toMatchObject({ rate_limit: 5_007, mail_outbox: 2 });
    expect(await howMany('rate_limit')).toBe(1_000);
  });
});

describe('the books are checked by night', () => {
  let flow: Flow;
  let worker: Awaited<ReturnType<Flow['startWorker']>>;
  beforeAll(async () => {
    flow = await aFlow({ startsWorker: false, gatewayTimeoutSeconds: 1 });
    worker = await flow.startWorker();
  });
  afterAll(() => flow.close());

  const books = booksOf(() => flow.api.orm);
  const { change, find } = books;
  const night = (name: string) =>
    flow.client.workflow.execute('checkBooks', {
      ...{ taskQueue: flow.taskQueue, workflowId: `books-${name}-${flow.taskQueue}`, args: [] },
    });
  const kept = () => find('books_check', {}, 'checked_by', 'rules', 'findings');

  test('each night leaves one line of what it found, and mends nothing', async () => {
    expect(await night('1')).toEqual({ rules: invariants.length, broken: [] });
    await recordHistory(flow.client, `books-1-${flow.taskQueue}`, 'check-books');
    const register = aRegister(flow);
    const { orderId } = await register.sale('12.00');
    await change('sales_order_item', { order_id: orderId }, { qty_shipped: 1 });

    const { broken } = (await night('2')) as { broken: string[] };

    expect(broken).toContain('O-02');
    const lines = await kept();
    expect(lines).toHaveLength(2);
    expect(lines).toContainEqual({ checked_by: 'schedule check-books', rules: invariants.length, findings: [] });
    expect(JSON.stringify(lines)).toMatch(new RegExp(`"id":"O-02".*"first":\\[{[^}]*"order_id":${orderId}\\b`));
    expect(((await night('3')) as { broken: string[] }).broken).toContain('O-02');
  });

  test('it runs at half past four in the morning, server time, after the other nights', async () => {
    const timeZone = 'Europe/Berlin';
    await writeSchedules(flow.client, { taskQueue: flow.taskQueue, timeZone });
    const schedule = flow.client.schedule.getHandle(`check-books-${flow.taskQueue}`);
    const { spec, policies } = await schedule.describe();

    expect(spec.timezone).toBe(timeZone);
    expect(spec.calendars).toMatchObject([{ hour: [{ start: 4, end: 4 }], minute: [{ start: 30, end: 30 }] }]);
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 7_200_000 });

    await schedule.delete();
    await flow.client.schedule.getHandle(`housekeeping-${flow.taskQueue}`).delete();
  });

  test.each(['it is called off', 'its worker ends'])(
    'a rule reads for minutes and %s: nobody waits for it, and its statement ends',
    async (why) => {
      const isCalledOff = why === 'it is called off';
      const keeper = flow.api.orm.em.fork();
      await keeper.begin();
      await keeper.execute('lock table sales_order in access exclusive mode');
      const check = await flow.client.workflow.start('checkBooks', {
        ...{ taskQueue: flow.taskQueue, workflowId: `books-${String(isCalledOff)}-${flow.taskQueue}`, args: [] },
      });
      try {
        await waitUntil('a rule waits for its table', async () => (await waiting(books)) === 1);
        await (isCalledOff ? check.cancel() : worker.stop());
        await waitUntil('nobody reads any more', async () => (await waiting(books)) === 0);
      } finally {
        await keeper.rollback();
      }
      if (isCalledOff) await expect(check.result()).rejects.toThrow();
      // Another worker would begin it anew, a minute later.
      else await check.terminate();
    },
  );
});
