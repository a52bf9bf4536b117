import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import type { Workflows } from '../../../providers/temporal/workflows.ts';
import { notePassed } from '../../../db/process/note-asked.ts';
import { leaveUnattempted, refuseProcess } from '../../../db/process/refuse-process.ts';
import { settleProcess } from '../../../db/process/settle-process.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { PosError, type Refusal } from '../../../domain/errors.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aRefundAttempt, aRequestedReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';

/** A collapsed request sent again, and one whose workflow is late; the workflow is stood in for. */
let api: TestApi;
let asked: string[];
let locationId: number;
/** What the workflow does with a run. */
let life: (processId: number) => Promise<unknown>;

const { memosOf, fork, configure } = booksOf(() => api.orm);

const workflows: Workflows = {
  async ask(question) {
    asked.push(question.id);
    const given = { ...Object(question.input), ...Object(question.request) };
    return (await life(Number(Reflect.get(given, 'processId')))) as never;
  },
  signal: () => Promise.resolve(),
  start: () => Promise.resolve(),
  refuseWhileAway: async () => undefined,
  isReachable: () => Promise.resolve(true),
};

const settle = async (processId: number) => {
  await notePassed(fork(), processId);
  await settleProcess(api.orm.em, processId);
};
const late = () => new PosError({ status: 504, message: 'The work is still going on.' });
const thenLate = (work: (processId: number) => Promise<void>) => async (processId: number) => {
  await work(processId);
  throw late();
};
const refuse = (state: 'refused' | 'failed', refusal: Refusal) => (processId: number) =>
  refuseProcess(api.orm.em, { processId, state, refusal });

beforeAll(async () => {
  api = await testApi({ workflows });
  ({ locationId } = await aShop(fork()));
  // Without a returns module each run has its workflow.
  await configure('vendor_pos_terminal/returns/providers', '');
});
beforeEach(() => {
  asked = [];
  life = settle;
});
afterAll(() => api.close());

const sale = async (wanted = {}) => {
  const order = await anOrder(fork(), wanted);
  return { orderId: order.orderId, itemId: order.itemIds[0]! };
};

const process = async (
  { orderId, itemId }: { orderId: number; itemId: number },
  requestId?: string,
  more: Record<string, unknown> = {},
) => {
  const { status, body, headers } = await api.call('POST', '/V1/pos/rma/process', {
    token: api.tokens.register,
    ...(requestId === undefined ? {} : { headers: { 'x-request-id': requestId } }),
    body: {
      orderId,
      items: JSON.stringify([{ order_item_id: itemId, qty: 1, reason: 'Too big' }]),
      resolution: 'refund',
      isOnline: false,
      ...more,
    },
  });
  return { status, body, isReplay: headers.get(replayHeader) === 'true' };
};

test('the same request again is the same refund, though more of the goods could come back', async () => {
  const one = await sale();
  const first = await process(one, 'till-7-return-1');
  const again = await process(one, 'till-7-return-1');

  expect(first).toMatchObject({ status: 200, body: { success: true, refund_total: 54 }, isReplay: false });
  expect(again).toEqual({ ...first, isReplay: true });
  expect(await memosOf(one.orderId)).toHaveLength(1);
  // What is over is answered without its workflow.
  expect(asked).toEqual([`process-${one.orderId}-till-7-return-1`]);
});

test('without an id of its own each request is one more refund', async () => {
  const one = await sale();
  await process(one);
  expect(await process(one)).toMatchObject({ status: 200, body: { success: true }, isReplay: false });
  expect(await memosOf(one.orderId)).toHaveLength(2);
});

test('eight at once with one id give the money back once, and all get the same answer', async () => {
  const one = await sale();
  const answers = await eightAtOnce(() => process(one, 'till-7-return-2'));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.credit_memo_id}`)).size).toBe(1);
  expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
  expect(await memosOf(one.orderId)).toHaveLength(1);
});

test.each([
  ['another quantity', ({ itemId }) => ({ items: JSON.stringify([{ order_item_id: itemId, qty: 2 }]) })],
  ['a second row', ({ itemId }) => ({ items: JSON.stringify([1, 1].map((qty) => ({ order_item_id: itemId, qty }))) })],
  ['another resolution', () => ({ resolution: 'exchange' })],
  ['another way of the money', () => ({ isOnline: true })],
  ['another customer', () => ({ customerId: 999_999 })],
] as [string, (one: { itemId: number }) => Record<string, unknown>][])(
  'the same id with %s is refused, and nothing is booked',
  async (_case, more) => {
    const one = await sale();
    const id = `till-7-${one.orderId}`;
    await process(one, id);
    const { status, body } = await process(one, id, more(one));
    expect([status, body.message]).toEqual([400, 'This request already asked for another return.']);
    expect(await memosOf(one.orderId)).toHaveLength(1);
  },
);

test('another comment about the goods is still the same request, and the first one stays', async () => {
  const one = await sale({ customerId: await aCustomer(fork()) });
  await process(one, 'till-7-return-3');
  expect(await process(one, 'till-7-return-3', { comment: 'Handle is loose.' })).toMatchObject({ isReplay: true });
});

test('two orders with one id at once: one has its refund, the other is refused', async () => {
  const sales = [await sale(), await sale()];
  const answers = await Promise.all(sales.map((one) => process(one, 'till-7-return-4')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
  const memos = await Promise.all(sales.map(({ orderId }) => memosOf(orderId)));
  expect(memos.flat()).toHaveLength(1);
});

test('a run whose workflow never began is taken up by the same request', async () => {
  const one = await sale();
  life = () => Promise.reject(new PosError({ status: 503, message: 'Workflows are out of reach.' }));
  expect((await process(one, 'till-7-return-5')).status).toBe(503);
  life = settle;
  expect(await process(one, 'till-7-return-5')).toMatchObject({ status: 200, body: { success: true }, isReplay: true });
});

test.each([
  ['refused', { status: 400, message: 'The warehouse does not take this product.' }],
  ['refused', { status: 409, message: 'Another refund is undecided.', parameters: { outcome: 'gateway_uncertain' } }],
] as const)('a run that was %s stays so, however often it is asked again', async (state, refusal) => {
  const one = await sale();
  const id = `till-7-${one.orderId}`;
  // The answer was lost in a late hour: the row has it all the same.
  life = thenLate(refuse(state, refusal));
  const answers = [await process(one, id), await process(one, id)];
  for (const { status, body } of answers) {
    expect(status).toBe(refusal.status);
    expect(body.message).toBe(refusal.message);
  }
  expect(asked).toHaveLength(1);
});

test('a collapsed return that another refund delayed is judged again by the same request, once that refund is decided', async () => {
  const other = await aRefundAttempt(api.orm, { locationId });
  const one = await sale();
  const id = `till-8-${one.orderId}`;
  const parameters = { refund_attempt_id: other.attemptId };
  life = thenLate(refuse('refused', { status: 409, message: 'Another refund is undecided.', parameters }));
  expect(await process(one, id)).toMatchObject({ status: 409, isReplay: false });
  expect(await process(one, id)).toMatchObject({ status: 409, isReplay: true });
  expect(asked).toHaveLength(1);
  await recordFinding(api.orm.em, {
    attemptId: other.attemptId,
    finding: { evidence: 'not_refunded', isFinal: true },
    now: new Date(),
  });
  life = settle;
  expect(await process(one, id)).toMatchObject({ status: 200, body: { success: true }, isReplay: false });
  expect(await process(one, id)).toMatchObject({ status: 200, isReplay: true });
  expect(await memosOf(one.orderId)).toHaveLength(1);
});

test('a late answer of a run that failed is its 500, of one that is open 504', async () => {
  const failed = await sale();
  life = thenLate(refuse('failed', { status: 500, message: 'Nobody can read what it said.' }));
  expect((await process(failed)).status).toBe(500);
  life = thenLate(() => Promise.resolve());
  expect((await process(await sale())).status).toBe(504);
});

test('of a return, too: a late answer is what its row came to', async () => {
  const fastTrack = async (work: (processId: number) => Promise<void>) => {
    life = thenLate(work);
    const { returnId } = await aRequestedReturn(api.orm);
    const body = { resolution: 'refund', isOnline: false };
    return api.call('POST', `/V1/pos/rma/${returnId}/process`, { token: api.tokens.register, body });
  };
  expect((await fastTrack(refuse('refused', { status: 400, message: 'No.' }))).status).toBe(400);
  expect(await fastTrack((processId) => leaveUnattempted(api.orm.em, processId))).toMatchObject({
    status: 200,
    body: { success: false, error: expect.stringMatching(/^No returns provider took return \d+ on\.$/) },
  });
  expect((await fastTrack(() => Promise.resolve())).status).toBe(504);
});
