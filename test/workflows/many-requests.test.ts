import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CreditSimulator, startCreditSimulator } from '../../local/simulators/app.ts';
import { findServer } from '../../local/temporal/find-server.ts';
import { startTemporal, type TemporalServer } from '../../local/temporal/start-server.ts';
import { creditRefundId } from '../../workflows/messages.ts';
import type { Answer } from '../support/api.ts';
import { booksOf } from '../support/books.ts';
import { secretKey } from '../support/builders/counter.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { housekeeper, lookNow } from '../support/housekeeping.ts';
import { aLayawayRegister } from '../support/layaway-register.ts';
import { patiently } from '../support/patiently.ts';
import { recordHistory } from '../support/record-history.ts';
import { aRegister, type Register } from '../support/register.ts';
import { atOnce } from '../support/rivals.ts';
import { waitUntil } from '../support/wait-until.ts';
import { anOutsideCredit } from './an-outside-credit.ts';

/** A server that refuses the 41st request of a run for good: by default it is the 2,001st. */
const maxTotalUpdates = 40;
/** More than two runs take. */
const many = 85;

let temporal: TemporalServer;
let flow: Flow;
let outside: CreditSimulator;
let register: Register;
let layaways: ReturnType<typeof aLayawayRegister>;

beforeAll(async () => {
  const found = await findServer({ environment: process.env, say: () => undefined });
  if (!('binary' in found)) throw new Error('these tests need their own server: unset TEMPORAL_ADDRESS');
  temporal = await startTemporal({
    binary: found.binary,
    settings: { 'history.maxTotalUpdates': maxTotalUpdates, 'limit.historyCount.suggestContinueAsNew': 300 },
  });
  outside = await startCreditSimulator();
  flow = await aFlow({
    temporalAddress: temporal.address,
    gatewayTimeoutSeconds: 2,
    reconcileAfterSeconds: 0,
    settings: { CREDIT_SERVICE_URL: outside.url, POS_SECRET_KEY: secretKey },
  });
  register = aRegister(flow);
  layaways = aLayawayRegister(flow);
});
beforeEach(() => {
  outside.mood = 'answers';
});
afterAll(async () => {
  await flow.close();
  await outside.stop();
  await temporal.stop();
});

const { memosOf, find, booksHold } = booksOf(() => flow.api.orm);

/** Run ids of all runs of a workflow, the oldest first. */
async function runsOf(workflowId: string): Promise<string[]> {
  const runs = new Set<string>();
  let { runId } = await flow.client.workflow.getHandle(workflowId).describe();
  for (;;) {
    runs.add(runId);
    const { events } = await flow.client.workflow.getHandle(workflowId, runId).fetchHistory();
    const before = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    if (!before) return [...runs].toReversed();
    runId = before;
  }
}

/** How its earlier runs ended, and whether a workflow task of any failed. */
async function troublesOf(workflowId: string): Promise<string[]> {
  const troubles: string[] = [];
  for (const runId of await runsOf(workflowId)) {
    const { events } = await flow.client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const event of events ?? [])
      if (event.workflowTaskFailedEventAttributes) troubles.push(String(event.workflowTaskFailedEventAttributes.cause));
  }
  return troubles;
}

const statusesOf = (answers: readonly Answer[]) => {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
};

async function inTurn<Result>(count: number, work: (number: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let number = 0; number < count; number++) results.push(await work(number));
  return results;
}

/** A refund whose result is unknown, at a gateway that keeps no records. */
async function anUncertainRefund() {
  const sale = await register.sale('12.61', { method: 'provider_c' });
  const unsaid = await register.returnOne(sale, { refundMethod: 'original_payment' });
  const { refund_attempt_id: attemptId, return_id: returnId } = unsaid.body.parameters;
  const attempt = `/V1/pos/rma/refund-attempts/${attemptId}`;
  return {
    sale,
    returnId: Number(returnId),
    workflowId: `refund-attempt-${attemptId}`,
    reconcile: () => register.call('POST', `${attempt}/reconcile`),
    resolve: (resolution: string) =>
      register.call('POST', `${attempt}/resolve`, { resolution, staffName: 'Ada', note: 'in the portal' }),
  };
}

describe('a run that is asked more often than the server permits', () => {
  test('a refund is decided however often its gateway was asked before', async () => {
    const refund = await anUncertainRefund();
    const asked = await inTurn(many, () => patiently(refund.reconcile));
    expect(statusesOf(asked)).toEqual(new Map([[200, many]]));
    expect((await runsOf(refund.workflowId)).length).toBeGreaterThan(2);

    expect(await refund.resolve('refunded')).toMatchObject({ status: 200, body: { state: 'booked' } });
    expect(await memosOf(refund.sale.orderId)).toHaveLength(1);
    expect(await register.returnOf(refund.returnId)).toMatchObject({ status: 'closed' });
    expect(await troublesOf(refund.workflowId)).toEqual([]);
    const [first] = await runsOf(refund.workflowId);
    await recordHistory(flow.client, refund.workflowId, 'attempt-continued', first);
  });

  test('a layaway takes every payment', async () => {
    const { orderId } = await layaways.place();
    const paid = await inTurn(many, () => patiently(() => layaways.pay(orderId, 0.5)));
    expect(statusesOf(paid)).toEqual(new Map([[200, many]]));
    expect((await runsOf(`layaway-${orderId}`)).length).toBeGreaterThan(2);
    expect(await find('sales_money_in', { order_id: orderId, kind: 'layaway_capture' }, 'amount')).toHaveLength(many);
    expect(await troublesOf(`layaway-${orderId}`)).toEqual([]);
    const [first] = await runsOf(`layaway-${orderId}`);
    await recordHistory(flow.client, `layaway-${orderId}`, 'layaway-continued', first);
  });

  test('a layaway that several registers pay without a pause renews as well, and each payment is booked once', async () => {
    const { orderId } = await layaways.place();
    const paid = await atOnce(3, (till) =>
      inTurn(30, (number) => patiently(() => layaways.pay(orderId, 0.5, { reference: `till-${till}-${number}` }))),
    );
    expect(statusesOf(paid.flat())).toEqual(new Map([[200, 90]]));
    expect((await runsOf(`layaway-${orderId}`)).length).toBeGreaterThan(2);
    expect(await find('sales_money_in', { order_id: orderId, kind: 'layaway_capture' }, 'amount')).toHaveLength(90);
    await booksHold();
  });

  test('an open return takes every request', async () => {
    const sale = await register.sale('12.00', { method: 'checkmo' });
    const parked = await register.returnOne(sale, { refundMethod: 'cash' });
    const { id } = parked.body;
    const answers = await inTurn(many, () => patiently(() => register.settle(id, { method: 'original_payment' })));
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect((await runsOf(`return-${id}`)).length).toBeGreaterThan(1);
    expect((await register.settle(id, { method: 'cash' })).body).toMatchObject({ status: 'closed' });
    expect(await troublesOf(`return-${id}`)).toEqual([]);
  });

  test('a silent provider of credit is asked as often as a person wants', async () => {
    const desk = anOutsideCredit(flow);
    const orderId = await desk.aSale();
    outside.balances.set('OUT-1', 0);
    outside.mood = 'drops';
    await desk.refund(desk.asked(orderId), 'many');
    const workflowId = creditRefundId(orderId, 'request-many');
    const run = flow.client.workflow.getHandle(workflowId);
    const answers = await inTurn(many, () => desk.refund(desk.asked(orderId), 'many'));
    expect(answers.filter(({ success }) => success !== false)).toEqual([]);
    expect((await runsOf(workflowId)).length).toBeGreaterThan(2);
    outside.mood = 'answers';
    expect(await desk.refund(desk.asked(orderId), 'many')).toMatchObject({ success: true, amount_applied: 10 });
    expect(await run.result()).toBe('booked');
  });

  test('housekeeping looks as often as it is asked to', async () => {
    await inTurn(many, () => lookNow(flow));
    const { workflowId } = housekeeper(flow);
    await waitUntil('it renewed twice', async () => (await runsOf(workflowId)).length > 2);
    await housekeeper(flow).terminate('the test is over');
  });
});

describe('more requests at the same time than the server takes of one run', () => {
  const crowd = 25;

  /** A request in a crowd may be too late to begin; then it says that nothing was done. */
  function expectTrueAnswers(answers: readonly Answer[]): number {
    const refused = answers.filter(({ status }) => status !== 200);
    for (const { status, body } of refused)
      expect({ status, message: body.message }).toEqual({
        status: 503,
        message: expect.stringMatching(/nothing was done/i),
      });
    return answers.length - refused.length;
  }

  test('a return that is settled at many registers is settled once', async () => {
    const sale = await register.sale('12.00');
    const { body: rma } = await register.returnOne(sale, { refundMethod: 'cash' });
    const answers = await atOnce(crowd, () => register.settle(rma.id, { method: 'cash' }));
    expect(expectTrueAnswers(answers)).toBeGreaterThan(0);
    expect(await memosOf(sale.orderId)).toHaveLength(1);
  });

  test('of many payments of one layaway each is booked that was answered with success, and no other', async () => {
    const { orderId } = await layaways.place();
    const answers = await atOnce(crowd, (number) => layaways.pay(orderId, 1, { reference: `payment-${number}` }));
    const taken = expectTrueAnswers(answers);
    expect(await find('sales_money_in', { order_id: orderId, kind: 'layaway_capture' }, 'amount')).toHaveLength(taken);
    await booksHold();
  });

  test('many decisions of one refund are one decision', async () => {
    const refund = await anUncertainRefund();
    const answers = await atOnce(crowd, () => refund.resolve('refunded'));
    expect(expectTrueAnswers(answers)).toBeGreaterThan(0);
    expect(await memosOf(refund.sale.orderId)).toHaveLength(1);
  });
});

describe('requests as large as the API takes', () => {
  /** One character of three bytes, and one that JSON writes as two. */
  const wide = (length: number) => '語"'.repeat(length / 2);
  const comments = (count: number) => Array.from({ length: count }, () => ({ comment: wide(1_000) }));

  test('a return with a megabyte of comments is created, and large refused requests neither end nor stop its run', async () => {
    const sale = await register.sale('12.00', { method: 'checkmo' });
    const { api } = flow;
    const goods = { order_item_id: sale.itemId, qty_requested: 1, resolution: 'Refund' };
    const body = { rmaDataObject: { order_id: sale.orderId, items: [goods], comments: comments(405) } };
    expect(Buffer.byteLength(JSON.stringify(body))).toBeGreaterThan(1_000_000);
    const created = await api.call('POST', '/V1/returns', { token: api.tokens.admin, body });
    expect(created.status).toBe(200);
    const id: number = created.body.entity_id;
    expect(created.body.comments[0].comment).toBe(Array.from({ length: 405 }, () => wide(1_000)).join('\n'));

    const path = `/V1/pos/rma/${id}`;
    const answers = await inTurn(20, async () => [
      await register.call('PUT', `${path}/status`, { status: 'items_received', comment: wide(4_000) }),
      await register.call('POST', `${path}/cancel-refund`, { comment: wide(4_000) }),
      await register.settle(id, {
        method: 'cash',
        rawPayload: wide(100_000),
        expectedLegs: Array.from({ length: 500 }, () => ({ kind: 'reward_points', amount: 1.11, points: 111_111_111 })),
      }),
    ]);
    expect(statusesOf(answers.flat())).toEqual(new Map([[400, 60]]));

    const run = flow.client.workflow.getHandle(`return-${id}`);
    expect((await run.describe()).status.name).toBe('RUNNING');
    expect(await troublesOf(`return-${id}`)).toEqual([]);
    const closed = await register.call('POST', `${path}/close`, { comment: wide(4_000) });
    expect(closed).toMatchObject({ status: 200, body: { status: 'closed' } });
    expect(await run.result()).toBe('closed');
  });
});
