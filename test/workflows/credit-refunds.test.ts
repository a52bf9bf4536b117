import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { verify } from '../../books/verify/verify.ts';
import { startCreditSimulator, type CreditSimulator } from '../../local/credit-simulator/server.ts';
import { creditRefundId, giveUpdate } from '../../workflows/credits/messages.ts';
import { secretKey } from '../support/builders/counter.ts';
import { aRefundedSale } from '../support/builders/credit.ts';
import { booksOf } from '../support/books.ts';
import { whileHeld } from '../support/books/held.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { lookNow } from '../support/housekeeping.ts';
import { minutesAgo } from '../support/moments.ts';
import { anApiProcess } from '../support/own-process.ts';
import { recordHistory } from '../support/record-history.ts';
import { eightAtOnce } from '../support/rivals.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Credit given back at a provider outside: one workflow reserves, asks until it is told, and books. */
let flow: Flow;
let outside: CreditSimulator;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  outside = await startCreditSimulator();
  flow = await aFlow({ settings: { CREDIT_SERVICE_URL: outside.url, POS_SECRET_KEY: secretKey }, startsWorker: false });
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
const { change, configure, creditRefundsOf, fork, refuseWrites } = books;
const refundsOf = (orderId: number) => creditRefundsOf(orderId, 'state', 'amount');
const worker = async () => {
  const running = await flow.startWorker();
  stops.push(() => running.stop());
};
const asked = (orderId: number, more: object = {}) => ({
  ...{ orderId: String(orderId), creditType: 'gift_card', provider: 'credit_service', amount: 10 },
  ...{ reason: 'Mrs Miller called', code: 'OUT-1' },
  ...more,
});
const refund = async (body: object, requestId: string) =>
  (
    await flow.api.call('POST', '/V1/pos/credits/refund', {
      token: flow.api.tokens.register,
      body,
      headers: { 'x-request-id': requestId },
    })
  ).body;
const runOf = (orderId: number, requestId: string) =>
  flow.client.workflow.getHandle(creditRefundId(orderId, `request-${requestId}`));
const aSale = async () => (await aRefundedSale(flow.api.orm)).orderId;

test('it is given once and booked; neither the card nor the reason is seen in Temporal', async () => {
  await worker();
  const orderId = await aSale();
  expect(await refund(asked(orderId), 'once')).toEqual({
    success: true,
    amount_applied: 10,
    remaining_balance: 10,
    transaction_id: expect.any(String),
    error_message: null,
  });
  expect(outside.balances.get('OUT-1')).toBe(100_000);
  expect(await refundsOf(orderId)).toEqual([{ state: 'booked', amount: '10.0000' }]);

  const run = runOf(orderId, 'once');
  expect(await run.result()).toBe('booked');
  const travelled = historyToJSON(await run.fetchHistory());
  const texts = [...travelled.matchAll(/"data":\s*"([^"]*)"/g)].map(([, data = '']) => Buffer.from(data, 'base64'));
  expect(texts.join('\n')).toContain('sealedWords');
  expect(texts.join('\n')).not.toMatch(/OUT-1|Miller/);
  const { currentDetails } = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toMatch(
    /^Gave \*\*10.00 USD\*\* of order \d+ as gift card at credit_service. Asked for by .+ \(request once\).$/,
  );
  await recordHistory(flow.client, run.workflowId, 'credit-refund-given');
});

test('a repeat is answered from its row, and asks nobody; for another card it is refused', async () => {
  await worker();
  const orderId = await aSale();
  const first = await refund(asked(orderId), 'again');
  const calls = outside.asked.length;
  expect(await refund(asked(orderId), 'again')).toEqual(first);
  expect(await refund(asked(orderId, { code: 'OUT-2' }), 'again')).toMatchObject({ success: false, amount_applied: 0 });
  expect(outside.asked).toHaveLength(calls);
});

test('of the same request eight times at once it is given once', async () => {
  await worker();
  const orderId = await aSale();
  const answers = await eightAtOnce(() => refund(asked(orderId), 'eight'));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({ success: true });
  expect(outside.balances.get('OUT-1')).toBe(100_000);
});

test('what the provider refuses is told in its words, and is free again', async () => {
  await worker();
  const orderId = await aSale();
  const refused = await refund(asked(orderId, { code: 'NOBODY' }), 'refused');
  expect(refused).toMatchObject({ success: false, amount_applied: 0, error_message: expect.any(String) });
  const run = runOf(orderId, 'refused');
  expect(await run.result()).toBe('failed');
  await recordHistory(flow.client, run.workflowId, 'credit-refund-refused');
  expect(await refund(asked(orderId, { amount: 54 }), 'all of it')).toMatchObject({ success: true });
});

test.each([
  'hangs',
  'drops',
  'fails',
  'babbles',
  'other_currency',
  'other_amount',
  'endless',
  'acts_and_drops',
] as const)(
  'a provider that %s: it stays reserved and counts; the same request has it asked again under the same key',
  async (mood) => {
    await worker();
    const orderId = await aSale();
    outside.mood = mood;
    const lost = await refund(asked(orderId), `lost-${mood}`);
    outside.mood = 'answers';

    expect(lost).toMatchObject({ success: false, error_message: expect.stringContaining('asked again') });
    expect(await refundsOf(orderId)).toEqual([{ state: 'reserved', amount: '10.0000' }]);
    expect((await refund(asked(orderId, { amount: 45 }), `more-${mood}`)).success).toBe(false);
    expect(await refund(asked(orderId), `lost-${mood}`)).toMatchObject({ success: true });
    expect(outside.balances.get('OUT-1')).toBe(100_000);
    expect(await refundsOf(orderId)).toEqual([{ state: 'booked', amount: '10.0000' }]);
    if (mood === 'drops') {
      const run = runOf(orderId, `lost-${mood}`);
      expect(await run.result()).toBe('booked');
      await recordHistory(flow.client, run.workflowId, 'credit-refund-asked-again');
    }
  },
);

test('given while the books take nothing: it is a success, it counts, and it is booked later', async () => {
  await worker();
  const orderId = await aSale();
  const mend = await refuseWrites({ on: 'change', to: 'credit_refund', says: 'the disk is full' });
  try {
    expect(await refund(asked(orderId), 'full')).toMatchObject({ success: true, amount_applied: 10 });
  } finally {
    await mend();
  }
  expect((await refund(asked(orderId, { amount: 45 }), 'full too')).success).toBe(false);
  await runOf(orderId, 'full').executeUpdate(giveUpdate, {
    args: [{ operationKey: 'x', beginBefore: '', by: 'Olga', requestId: 'by hand' }],
  });
  expect(await refundsOf(orderId)).toEqual([{ state: 'booked', amount: '10.0000' }]);
  expect(outside.balances.get('OUT-1')).toBe(100_000);
});

test('what does not fit is refused by reading: no workflow starts', async () => {
  const orderId = await aSale();
  expect((await refund(asked(orderId, { amount: 999 }), 'too much')).error_message).toBe(
    'The amount 999 exceeds the remaining refundable amount 54.',
  );
  await expect(runOf(orderId, 'too much').describe()).rejects.toThrow();
});

test('without a worker, with an older one, or over a locked order nothing is reserved, now or later', async () => {
  const [alone, beside, locked] = [await aSale(), await aSale(), await aSale()];
  const tooLate = { success: false, error_message: expect.stringContaining('nothing was done') };
  const connection = await NativeConnection.connect({ address: flow.temporalAddress });
  expect(await refund(asked(alone), 'alone')).toMatchObject(tooLate);
  const older = await Worker.create({
    ...{ connection, namespace: 'pos', taskQueue: flow.taskQueue, activities: {} },
    workflowBundle: { codePath: process.env['TEST_BUNDLE'] ?? '' },
  });
  expect(await older.runUntil(refund(asked(beside), 'beside'))).toMatchObject(tooLate);
  await connection.close();
  await worker();
  const held = whileHeld(books, 'sales_order', { entity_id: locked }, () => refund(asked(locked), 'locked'));
  expect(await held).toMatchObject(tooLate);

  const run = runOf(locked, 'locked');
  expect(await run.result()).toBe('refused');
  expect(await runOf(alone, 'alone').result()).toBe('refused');
  await recordHistory(flow.client, run.workflowId, 'credit-refund-too-late');
  for (const orderId of [alone, beside, locked]) expect(await refundsOf(orderId)).toEqual([]);
  expect(outside.balances.get('OUT-1')).toBe(0);
  expect(await refund(asked(alone), 'alone')).toMatchObject({ success: true });
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
  const orderId = await aSale();
  expect(await there(asked(orderId), 'away')).toMatchObject({ success: false, error_message: expect.any(String) });
  expect(await refundsOf(orderId)).toEqual([]);
  const given = await refund(asked(orderId), 'away');
  expect(given).toMatchObject({ success: true });
  expect(await there(asked(orderId), 'away')).toEqual(given);
  const own = { creditType: 'store_credit', provider: '', code: null };
  expect(await there(asked(orderId, own), 'own')).toMatchObject({ success: true, remaining_balance: 10 });
});

test('a run that was terminated is taken up by housekeeping, and the credit is given once', async () => {
  await worker();
  const orderId = await aSale();
  outside.mood = 'acts_and_drops';
  expect((await refund(asked(orderId), 'lost')).success).toBe(false);
  const run = runOf(orderId, 'lost');
  await run.terminate('by an operator');
  outside.mood = 'answers';
  await change('credit_refund', { order_id: orderId }, { created_at: minutesAgo(5) });

  await lookNow(flow);
  await waitUntil('the credit is booked', async () => (await refundsOf(orderId))[0]?.state === 'booked');
  expect(await runOf(orderId, 'lost').result()).toBe('booked');
  expect(outside.balances.get('OUT-1')).toBe(100_000);
  await recordHistory(flow.client, run.workflowId, 'credit-refund-taken-up');
});

test('after all of it the books hold', async () => {
  expect(await verify(fork(), { lookAgainAfterMs: 1 })).toEqual([]);
});
