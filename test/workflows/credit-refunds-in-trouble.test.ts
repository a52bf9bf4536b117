import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { verify } from '../../books/verify/verify.ts';
import { startCreditSimulator, type CreditSimulator } from '../../local/credit-simulator/server.ts';
import { secretKey } from '../support/builders/counter.ts';
import { booksOf } from '../support/books.ts';
import { whileHeld } from '../support/books/held.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { lookNow } from '../support/housekeeping.ts';
import { minutesAgo } from '../support/moments.ts';
import { anApiProcess } from '../support/own-process.ts';
import { recordHistory } from '../support/record-history.ts';
import { waitUntil } from '../support/wait-until.ts';
import { anOutsideCredit, type OutsideCredit } from './an-outside-credit.ts';

/** What a refund to credit of a provider outside does while something that it needs is gone, or ends it. */
let flow: Flow;
let outside: CreditSimulator;
let desk: OutsideCredit;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  outside = await startCreditSimulator();
  flow = await aFlow({ settings: { CREDIT_SERVICE_URL: outside.url, POS_SECRET_KEY: secretKey }, startsWorker: false });
  desk = anOutsideCredit(flow);
});
beforeEach(() => {
  outside.mood = 'answers';
  outside.balances.set('OUT-1', 0);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  await flow.close();
  await outside.stop();
});

const books = booksOf(() => flow.api.orm);
const { change, configure, creditRefundsOf, fork } = books;
const refundsOf = (orderId: number) => creditRefundsOf(orderId, 'state', 'amount');
/** The flow's own worker, from the first test on that needs it. */
let running: ReturnType<Flow['startWorker']> | undefined;
const worker = () => (running ??= flow.startWorker());

test('without a worker, with an older one, or over a locked order nothing is reserved, now or later', async () => {
  const [alone, beside, locked] = [await desk.aSale(), await desk.aSale(), await desk.aSale()];
  const tooLate = { success: false, error_message: expect.stringContaining('nothing was done') };
  const connection = await NativeConnection.connect({ address: flow.temporalAddress });
  expect(await desk.refund(desk.asked(alone), 'alone')).toMatchObject(tooLate);
  const older = await Worker.create({
    ...{ connection, namespace: 'pos', taskQueue: flow.taskQueue, activities: {} },
    workflowBundle: { codePath: process.env['TEST_BUNDLE'] ?? '' },
  });
  expect(await older.runUntil(desk.refund(desk.asked(beside), 'beside'))).toMatchObject(tooLate);
  await connection.close();
  await worker();
  const held = whileHeld(books, 'sales_order', { entity_id: locked }, () => desk.refund(desk.asked(locked), 'locked'));
  expect(await held).toMatchObject(tooLate);

  const run = desk.runOf(locked, 'locked');
  expect(await run.result()).toBe('refused');
  expect(await desk.runOf(alone, 'alone').result()).toBe('refused');
  await recordHistory(flow.client, run.workflowId, 'credit-refund-too-late');
  for (const orderId of [alone, beside, locked]) expect(await refundsOf(orderId)).toEqual([]);
  expect(outside.balances.get('OUT-1')).toBe(0);
  expect(await desk.refund(desk.asked(alone), 'alone')).toMatchObject({ success: true });
});

test('with Temporal away nothing is reserved, what is decided is answered, and our own credit is given', async () => {
  await worker();
  await configure('vendor_store_credit/general/enabled', '1');
  const env = { TEMPORAL_ADDRESS: '127.0.0.1:1', CREDIT_SERVICE_URL: outside.url, POS_SECRET_KEY: secretKey };
  const api = await anApiProcess(flow, { env });
  stops.push(() => api.kill());
  const there = async (body: object, requestId: string) => {
    const response = await fetch(`${api.url}/rest/V1/pos/credits/refund`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${flow.api.tokens.register}`,
        'content-type': 'application/json',
        'x-request-id': requestId,
      },
      body: JSON.stringify(body),
    });
    return response.json() as Promise<unknown>;
  };
  const orderId = await desk.aSale();
  expect(await there(desk.asked(orderId), 'away')).toMatchObject({ success: false, error_message: expect.any(String) });
  expect(await refundsOf(orderId)).toEqual([]);
  const given = await desk.refund(desk.asked(orderId), 'away');
  expect(given).toMatchObject({ success: true });
  expect(await there(desk.asked(orderId), 'away')).toEqual(given);
  const own = { creditType: 'store_credit', provider: '', code: null };
  expect(await there(desk.asked(orderId, own), 'own')).toMatchObject({ success: true, remaining_balance: 10 });
});

test('a run that was terminated is taken up by housekeeping, and the credit is given once', async () => {
  await worker();
  const orderId = await desk.aSale();
  outside.mood = 'acts_and_drops';
  expect((await desk.refund(desk.asked(orderId), 'lost')).success).toBe(false);
  const run = desk.runOf(orderId, 'lost');
  await run.terminate('by an operator');
  outside.mood = 'answers';
  await change('credit_refund', { order_id: orderId }, { created_at: minutesAgo(5) });

  await lookNow(flow);
  await waitUntil('the credit is booked', async () => (await refundsOf(orderId))[0]?.state === 'booked');
  expect(await desk.runOf(orderId, 'lost').result()).toBe('booked');
  expect(outside.balances.get('OUT-1')).toBe(100_000);
  await recordHistory(flow.client, run.workflowId, 'credit-refund-taken-up');
});

test('after all of it the books hold', async () => {
  expect(await verify(fork(), { lookAgainAfterMs: 1 })).toEqual([]);
});
