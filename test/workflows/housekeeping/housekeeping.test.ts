import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { WorkflowNotFoundError } from '@temporalio/client';
import { verify } from '../../../books/verify/verify.ts';
import { readGatewayLedger } from '../../../cli/verify-books.ts';
import { createOrm } from '../../../db/orm.ts';
import { readKnownRefunds } from '../../../db/refunds/read-known-refunds.ts';
import { countFollowed, markFollowed } from '../../../db/returns/followed.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { findPoints } from '../../../db/reward-points/read-points.ts';
import { findBalance } from '../../../db/store-credit/read-balance.ts';
import { markRestored, type Restored } from '../../../db/verdicts/mark-restored.ts';
import { money } from '../../../domain/money.ts';
import { type GatewaySimulator, startGatewaySimulator } from '../../../local/simulators/app.ts';
import { findServer } from '../../../local/temporal/find-server.ts';
import { startTemporal } from '../../../local/temporal/start-server.ts';
import { startHousekeeping } from '../../../worker/schedules.ts';
import { creditRefundId } from '../../../workflows/messages.ts';
import { posOrderId, posReturnId, posStatus } from '../../../workflows/support/search-attributes.ts';
import { booksOf } from '../../support/books.ts';
import { withoutTable } from '../../support/books/without-table.ts';
import { reservedStoreCredit } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aRefundAttempt, aRequestedReturn, aReturn } from '../../support/builders/return.ts';
import { aSpendingOutside } from '../../support/builders/spending.ts';
import { copyOfDatabase, testDatabaseUrl } from '../../support/database.ts';
import { aFlow, type Flow, openShop } from '../../support/flow.ts';
import { housekeeper, lookNow } from '../../support/housekeeping.ts';
import { aLayawayRegister } from '../../support/layaway-register.ts';
import { minutesAgo } from '../../support/moments.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('after a restore', () => {
  /**
   * The drill of `docs/operators/restore.md`: a backup, a day of refunds, and the backup again. The gateway keeps no
   * keys and caps nothing, so whatever is sent twice is given twice.
   */
  let gateway: GatewaySimulator;
  let lost: MikroORM;
  let flow: Flow;
  let restored: Restored;
  /** Wanted at the time of the backup, and not begun. */
  let waiting: { returnId: number; orderId: number };
  /** Written down at the time of the backup, and not called. */
  let started: { returnId: number; orderId: number; attemptId: number };
  /** A refund the gateway has and the restored books lack. */
  let refundsBefore: number;

  beforeAll(async () => {
    gateway = await startGatewaySimulator({ port: 0 });
    gateway.ledger.change({ keys: 'ignored', cap: false });
    const url = await testDatabaseUrl();
    const before = await createOrm(url);
    const shop = await openShop({ orm: before });
    await asOfTheBackup(before, shop.locationId);
    await before.close();
    const backup = await copyOfDatabase(url);

    lost = await createOrm(url);
    const theDay = await aFlow({ existing: { orm: lost, gateway, shop } });
    await sweep(theDay);
    await waitUntil('the day’s refunds are booked', async () => (await statesIn(lost)).join() === 'booked,booked');
    await endWorkflows(theDay);
    await theDay.close();
    refundsBefore = gateway.ledger.refunds.length;

    const orm = await createOrm(backup);
    restored = await markRestored(orm.em);
    flow = await aFlow({ existing: { orm, gateway, shop }, reconcileAfterSeconds: 1 });
    await sweep(flow);
    await waitUntil('the sweep has done what it can', async () => (await statesIn(orm)).join() === 'booked,failed');
  });
  afterAll(async () => {
    await flow.close();
    await gateway.stop();
  });

  const { attemptsOf, theAttempt, find, fork } = booksOf(() => flow.api.orm);

  async function asOfTheBackup(orm: MikroORM, locationId: number): Promise<void> {
    const aPaidReturn = () => aReturn(orm, { locationId, order: { lastTransId: `pay_${randomUUID()}` } });
    waiting = await aPaidReturn();
    const rma = await aPaidReturn();
    const { attempt } = await initialiseReturn(orm.em, { returnId: rma.returnId, canRefundThrough: () => true });
    started = { ...rma, attemptId: attempt!.attemptId };
    const refunded = await anOrder(orm.em.fork(), {});
    await refundPieces(orm.em.fork(), refunded, 1);
    const books = booksOf(() => orm);
    const { entity_id: memoId } = await books.findOne('sales_creditmemo', {}, 'entity_id');
    await books.insert('mail_outbox', { mail_key: 'refund-1', kind: 'refund', credit_memo_id: memoId });
    await aSpendingOutside(orm);
  }

  /** As each minute, once everything has been quiet for long enough. */
  async function sweep(shop: Flow): Promise<void> {
    const books = booksOf(() => shop.api.orm);
    await books.change('sale_return', { is_ready: false }, { updated_at: minutesAgo(5) });
    await books.change('refund_attempt', { state: 'started' }, { created_at: minutesAgo(5) });
    await books.change('credit_spending', {}, { updated_at: minutesAgo(60) });
    await lookNow(shop);
  }

  /** As the runbook has it: workflows know of the day that is lost, rows do not. */
  async function endWorkflows({ client }: Flow): Promise<void> {
    for (const { returnId } of [waiting, started])
      await client.workflow
        .getHandle(`return-${returnId}`)
        .terminate('the database was restored')
        .catch(() => undefined);
  }

  const statesIn = async (orm: MikroORM) => {
    const attempts = await booksOf(() => orm).find('refund_attempt', {}, 'state');
    return attempts.map(({ state }) => String(state)).toSorted();
  };

  test('nothing is sent to the gateway twice', () => {
    expect(refundsBefore).toBe(2);
    expect(gateway.ledger.refunds).toHaveLength(refundsBefore);
    expect(gateway.ledger.calls).toHaveLength(refundsBefore);
  });

  test('what was under way is a question, and the gateway answers it by the name it always had', async () => {
    expect(restored.attemptIds).toEqual([started.attemptId]);
    const attempt = await theAttempt(started.attemptId, 'state');
    expect(attempt).toEqual({ state: 'booked' });
  });

  test('a refund that the backup lacks is not made again, and the return says why', async () => {
    const [attempt] = await attemptsOf(waiting.returnId, 'message');
    expect(attempt?.message).toMatch(
      /^Nothing was sent: the books were restored from a backup, and the gateway made refunds of this payment that they do not have: 54\.00 USD as "re_\w+"\.$/,
    );
    const again = await aRegister(flow).settle(waiting.returnId, { method: 'original_payment' });
    expect(again).toMatchObject({ status: 400, body: { message: expect.stringContaining('Nothing was sent') } });
    expect(gateway.ledger.calls).toHaveLength(refundsBefore);
  });

  test('mails that may have been sent are not sent, and a spending whose order may be lost is not undone', async () => {
    expect(restored).toMatchObject({ generation: 2, droppedMails: 1 });
    expect(restored.spendingIds).toHaveLength(1);
    expect(await find('mail_outbox', {}, 'state')).toEqual([{ state: 'dropped' }]);
    expect(await find('credit_spending', {}, 'state')).toEqual([{ state: 'spent' }]);
  });

  test('verify tells what the books lack and what waits for a person', async () => {
    const findings = await verify(fork(), { readLedger: () => readGatewayLedger(gateway.url), lookAgainAfterMs: 1 });

    expect(findings.map(({ id }) => id).toSorted()).toEqual(['I-11', 'L-08']);
    expect(findings.find(({ id }) => id === 'I-11')?.rows).toMatchObject([{ order_id: waiting.orderId }]);
  });

  test('settled by hand under the gateway’s own reference, the refund is in the books and stops nothing any more', async () => {
    const { orderId, returnId } = waiting;
    const [attempt] = await attemptsOf(returnId, 'idempotency_key');
    const refund = gateway.ledger.refunds.find(({ idempotencyKey }) => idempotencyKey === attempt?.idempotency_key);
    const { status } = await aRegister(flow).settle(returnId, { method: 'manual_card', reference: refund?.id });

    expect(status).toBe(200);
    expect((await readKnownRefunds(fork(), orderId)).gatewayReferences).toContain(refund?.id);
    expect(gateway.ledger.calls).toHaveLength(refundsBefore);
  });
});

describe('housekeeping', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await aFlow();
  });
  afterAll(async () => {
    await housekeeper(flow).terminate('the test is over');
    await flow.close();
  });

  const books = booksOf(() => flow.api.orm);
  const events = async () => (await housekeeper(flow).fetchHistory()).events ?? [];
  /** The text of its page. */
  const details = async () => {
    const { definition, currentDetails } = await housekeeper(flow).query<{
      definition?: unknown;
      currentDetails: string;
    }>('__temporal_workflow_metadata');
    expect(definition).toBeDefined();
    return currentDetails;
  };
  const runId = async () => (await housekeeper(flow).describe()).runId;
  const isRunning = async (id: string) =>
    (await flow.client.workflow.getHandle(id).describe()).status.name === 'RUNNING';
  const restart = async (input: Parameters<typeof lookNow>[2]) => {
    await housekeeper(flow)
      .terminate('to start anew')
      .catch(() => undefined);
    return lookNow(flow, {}, input);
  };

  test('an idle minute costs six events at most', async () => {
    await restart({ everyMs: 50 });
    const isLook = (event: object) => Boolean(Reflect.get(event, 'timerFiredEventAttributes'));
    await waitUntil('it has looked a few times', async () => (await events()).filter(isLook).length > 5);

    const looks = (await events()).flatMap((event, at) => (isLook(event) ? [at] : []));
    expect(looks.at(-1)! - looks.at(-2)!).toBeLessThanOrEqual(6);
  });

  test('after a day a new run goes on from the progress of the last one', async () => {
    await restart({ everyMs: 50, renewAfterMs: 1 });
    const ended: string[] = [];
    await waitUntil('a new run goes on', async () => {
      const query = `WorkflowId = '${housekeeper(flow).workflowId}' AND ExecutionStatus = 'ContinuedAsNew'`;
      for await (const run of flow.client.workflow.list({ query })) ended.push(run.runId);
      return ended.length > 0;
    });

    expect(await isRunning(housekeeper(flow).workflowId)).toBe(true);
    const [begun] = (await housekeeper(flow).fetchHistory()).events ?? [];
    const [input] = begun?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    expect(JSON.parse(String(input?.data))).toEqual({
      lostUntil: expect.any(String),
      lookedForLostAt: expect.any(Number),
      comparedAt: expect.any(Number),
      everyMs: 50,
    });
    await recordHistory(flow.client, housekeeper(flow).workflowId, 'housekeeping-renewed', ended[0]);
  });

  test('a part that fails stops no other, and the page says which one it was', async () => {
    await restart({});
    const { returnId } = await aRequestedReturn(flow.api.orm);
    const looked = await withoutTable(books, 'bulk', () => lookNow(flow));

    expect(looked).toMatchObject({ counts: { returns: 1 }, failed: ['bulks'] });
    expect(await isRunning(`return-${returnId}`)).toBe(true);
    expect((await lookNow(flow)).failed).toEqual([]);
  });

  test('paused it looks only when asked, and goes on when it is resumed', async () => {
    await restart({ everyMs: 50 });
    await housekeeper(flow).signal('pause');
    const { returnId } = await aRequestedReturn(flow.api.orm);
    await waitUntil('the page says so', async () => (await details()).includes('Paused'));
    await expect(isRunning(`return-${returnId}`)).rejects.toThrow(WorkflowNotFoundError);
    await lookNow(flow);
    expect(await isRunning(`return-${returnId}`)).toBe(true);

    await housekeeper(flow).signal('resume');
    await waitUntil('the page says so', async () => (await details()).includes('Looks each minute'));
  });

  test('started by each worker, it is one; terminated, the hourly schedule brings it back', async () => {
    await Promise.all([1, 2].map(() => startHousekeeping(flow.client, flow)));
    const first = await runId();
    await startHousekeeping(flow.client, flow);
    expect(await runId()).toBe(first);

    await housekeeper(flow).terminate('an operator was in a hurry');
    const start = (times: number) =>
      flow.client.workflow.execute('startHousekeeping', {
        taskQueue: flow.taskQueue,
        workflowId: `start-${times}-${flow.taskQueue}`,
        args: [housekeeper(flow).workflowId],
      });
    expect(await start(1)).toBe(true);
    expect(await start(2)).toBe(false);
    await waitUntil('it runs', () => isRunning(housekeeper(flow).workflowId));
    await recordHistory(flow.client, `start-1-${flow.taskQueue}`, 'start-housekeeping');
  });
});

describe('lost workflows', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await aFlow();
    // A new life looks at everything; from now on it looks as each minute.
    await lookNow(flow);
  });
  afterAll(async () => {
    await housekeeper(flow).terminate('the test is over');
    await flow.close();
  });

  const { find, fork, change, theReturn, theOrder } = booksOf(() => flow.api.orm);
  const handle = (id: string) => flow.client.workflow.getHandle(id);
  const isRunning = async (id: string) => {
    try {
      return (await handle(id).describe()).status.name === 'RUNNING';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  };
  /** As its workflow leaves it once it has read the row. */
  const aFollowedReturn = async () => {
    const { returnId, orderId } = await aRequestedReturn(flow.api.orm);
    await markFollowed(fork(), returnId);
    return { returnId, orderId, id: `return-${returnId}` };
  };
  const startReturn = ({ returnId, orderId, id }: { returnId: number; orderId: number; id: string }, options = {}) =>
    flow.client.workflow.start('returnWorkflow', {
      workflowId: id,
      taskQueue: flow.taskQueue,
      args: [{ rmaId: returnId }],
      typedSearchAttributes: [
        { key: posReturnId, value: returnId },
        { key: posOrderId, value: orderId },
      ],
      ...options,
    });
  /** Temporal's list is a moment late. */
  const untilTakenUp = (id: string) =>
    waitUntil(`${id} runs again`, async () => {
      await lookNow(flow, { everything: true });
      return isRunning(id);
    });

  test('a return whose workflow was terminated is followed again', async () => {
    const rma = await aFollowedReturn();
    await startReturn(rma);
    await handle(rma.id).terminate('an operator was in a hurry');
    expect((await lookNow(flow)).counts).not.toHaveProperty('returns');

    await untilTakenUp(rma.id);
    const { typedSearchAttributes, staticSummary } = await describe(rma.id);
    expect([typedSearchAttributes.get(posReturnId), typedSearchAttributes.get(posOrderId)]).toEqual([
      rma.returnId,
      rma.orderId,
    ]);
    expect(staticSummary).toMatch(/^Return \d{9} · order \d{9}$/);
  });
  const describe = async (id: string) => {
    const { typedSearchAttributes, raw } = await handle(id).describe();
    const { summary } = raw.executionConfig?.userMetadata ?? {};
    return { typedSearchAttributes, staticSummary: JSON.parse(String(summary?.data)) as string };
  };

  test('a return whose workflow ran out of time is followed again', async () => {
    const rma = await aFollowedReturn();
    await startReturn(rma, { workflowRunTimeout: '1 second' });
    await waitUntil('its time is over', async () => (await handle(rma.id).describe()).status.name === 'TIMED_OUT');

    await untilTakenUp(rma.id);
  });

  test('a layaway whose workflow was cancelled is followed again', async () => {
    const { orderId } = await aLayawayRegister(flow).place();
    const id = `layaway-${orderId}`;
    await waitUntil('it is followed', async () => {
      const { pos_layaway_followed_at: at } = await theOrder(orderId, 'pos_layaway_followed_at');
      return at !== null;
    });
    await handle(id).cancel();
    await waitUntil('it has ended', async () => !(await isRunning(id)));
    await change('sales_order', { entity_id: orderId }, { created_at: new Date(Date.now() - 120_000) });

    await untilTakenUp(id);
    expect((await handle(id).describe()).typedSearchAttributes.get(posOrderId)).toBe(orderId);
    await waitUntil('its state is shown', async () => {
      const { typedSearchAttributes } = await handle(id).describe();
      return typedSearchAttributes.get(posStatus) === 'open';
    });
  });

  test('a doubt whose workflow failed is asked about again', async () => {
    const { attemptId } = await aRefundAttempt(flow.api.orm, { locationId: flow.shop.locationId });
    const id = `refund-attempt-${attemptId}`;
    await change('refund_attempt', { attempt_id: attemptId }, { state: 'failed' });
    await handle(id)
      .result()
      .catch(() => undefined);
    await flow.client.workflow.start('refundAttemptWorkflow', {
      workflowId: id,
      taskQueue: flow.taskQueue,
      args: [{ attemptId: attemptId + 1 }],
    });
    await expect(handle(id).result()).rejects.toThrow('Workflow execution failed');
    await change('refund_attempt', { attempt_id: attemptId }, { state: 'uncertain' });

    await untilTakenUp(id);
  });

  test('a return that ended beside its workflow: the workflow is told and ends', async () => {
    const rma = await aFollowedReturn();
    await startReturn(rma);
    await waitUntil('it has read the row', async () => {
      const { status } = await handle(rma.id).query<{ status: string }>('state');
      return status === 'pending';
    });
    await change('sale_return', { return_id: rma.returnId }, { status: 'denied' });

    expect((await lookNow(flow)).counts).toMatchObject({ 'ended returns': 1 });
    await waitUntil('it has ended', async () => !(await isRunning(rma.id)));
  });

  test('a return that ended, and so did its workflow without knowing it: the row says so', async () => {
    const rma = await aFollowedReturn();
    await change('sale_return', { return_id: rma.returnId }, { status: 'denied' });
    await lookNow(flow);

    expect(await theReturn(rma.returnId, 'followed_at')).toEqual({ followed_at: null });
    expect(await isRunning(rma.id)).toBe(false);
  });

  /** As after a loss of Temporal's data: no end of the run is listed. */
  async function forget(workflowId: string): Promise<void> {
    await flow.client.workflowService.deleteWorkflowExecution({ namespace: 'pos', workflowExecution: { workflowId } });
    await waitUntil('it is gone', async () => !(await isRunning(workflowId).catch(() => false)));
  }

  test('a lost workflow and one whose return is over make the counts equal, and both are noticed', async () => {
    const [lost, left] = [await aFollowedReturn(), await aFollowedReturn()];
    for (const rma of [lost, left]) {
      await startReturn(rma);
      await waitUntil('it has read the row', async () => {
        const { status } = await handle(rma.id).query<{ status: string }>('state');
        return status === 'pending';
      });
    }
    await forget(lost.id);
    await change('sale_return', { return_id: left.returnId }, { status: 'denied', followed_at: null });

    await waitUntil('the lost one is followed, and the left one has ended', async () => {
      await lookNow(flow, { everything: true });
      const [isFollowed, isLeft] = [await isRunning(lost.id).catch(() => false), await isRunning(left.id)];
      return isFollowed && !isLeft;
    });
  });

  test('an uncertain refund that Temporal knows nothing of is asked about again', async () => {
    const { attemptId } = await aRefundAttempt(flow.api.orm, { locationId: flow.shop.locationId });
    const id = `refund-attempt-${attemptId}`;
    await lookNow(flow);
    await waitUntil('it is followed', () => isRunning(id));
    await forget(id);
    await lookNow(flow);
    expect(await isRunning(id)).toBe(true);
  });

  test('a night that fell into an off time is made up for, once', async () => {
    const owed = () => find('night_run', { ended_at: new Date('2026-01-01') }, 'night');
    await change('night_run', {}, { worked_at: new Date('2026-01-01'), ended_at: new Date('2026-01-01') });
    expect((await lookNow(flow)).counts).toMatchObject({ nights: 3 });
    await waitUntil('each is done', async () => (await owed()).length === 0);
    expect((await lookNow(flow)).counts).not.toHaveProperty('nights');
  });

  test('a workflow whose return is over, whatever the row says of it, is told by the comparison', async () => {
    const rma = await aFollowedReturn();
    await startReturn(rma);
    await waitUntil('it has read the row', async () => {
      const { status } = await handle(rma.id).query<{ status: string }>('state');
      return status === 'pending';
    });
    await change('sale_return', { return_id: rma.returnId }, { status: 'denied', followed_at: null });

    await waitUntil('it has ended', async () => {
      await lookNow(flow, { everything: true });
      return !(await isRunning(rma.id));
    });
  });
});

describe('new temporal', () => {
  test('a Temporal that is new: its first worker starts a workflow for every open return of the books', async () => {
    const found = await findServer({ environment: process.env, say: () => undefined });
    if (!('binary' in found)) return;
    const temporal = await startTemporal({ binary: found.binary });
    const flow = await aFlow({ temporalAddress: temporal.address, startsWorker: false });
    const { fork } = booksOf(() => flow.api.orm);
    const rmas = [];
    for (let n = 0; n < 3; n++) rmas.push(await aRequestedReturn(flow.api.orm));
    for (const { returnId } of rmas) await markFollowed(fork(), returnId);
    expect(await countFollowed(fork())).toBe(3);

    const worker = await aWorkerProcess(flow);
    try {
      for (const { returnId } of rmas)
        await waitUntil(`return ${returnId} is followed`, async () => {
          const run = await flow.client.workflow
            .getHandle(`return-${returnId}`)
            .describe()
            .catch(() => undefined);
          return run?.status.name === 'RUNNING';
        });
    } finally {
      await worker.kill();
      await flow.close();
      await temporal.stop();
    }
  });
});

describe('settle credit', () => {
  let flow: Flow;
  /** Takes every question, and answers none before it is released. */
  const held: ServerResponse[] = [];
  const silent = createServer((_request, response) => void held.push(response));
  const release = () => held.splice(0).forEach((response) => response.destroy());
  beforeAll(async () => {
    const { port } = await new Promise<AddressInfo>((resolve) =>
      silent.listen(0, '127.0.0.1', () => resolve(silent.address() as AddressInfo)),
    );
    flow = await aFlow({ settings: { CREDIT_SERVICE_URL: `http://127.0.0.1:${port}` } });
    await pointsOn(fork());
  });
  afterAll(async () => {
    release();
    await flow.close();
    silent.close();
  });

  const { fork } = booksOf(() => flow.api.orm);

  test('one look books points, and has given what a crash left reserved', async () => {
    const { customerId, orderId, refundId } = await reservedStoreCredit(flow.api.orm);

    await lookNow(flow);
    const run = flow.client.workflow.getHandle(creditRefundId(orderId, `refund-${refundId}`));

    expect(await run.result()).toBe('booked');
    expect(await findPoints(fork(), customerId, 1)).toBe(50);
    expect((await findBalance(fork(), customerId, 1)).amount).toBe(money('10.0000'));
  });

  test('points are booked while a provider of credit outside is silent', async () => {
    await aSpendingOutside(flow.api.orm, { state: 'returning' });
    const first = lookNow(flow);
    await waitUntil('the provider was asked', () => Promise.resolve(held.length > 0));
    const { customerId } = await reservedStoreCredit(flow.api.orm);
    const second = lookNow(flow);

    await waitUntil('the points are there', async () => (await findPoints(fork(), customerId, 1)) === 50);
    expect(held[0]?.destroyed).toBe(false);
    release();
    await Promise.all([first, second]);
  });
});
