import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { openProcessOfReturn } from '../../../db/process/open-process-of-return.ts';
import { leaveUnattempted, refuseProcess } from '../../../db/process/refuse-process.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { startReturnsSimulator, type ReturnsSimulator } from '../../../local/returns-simulator/server.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { aRefundAttempt, aRequestedReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';

/** A collapsed request sent again, and one whose workflow is late. */
let api: TestApi;
let locationId: number;
let warehouse: ReturnsSimulator;

const { memosOf, processesOf, fork, configure, rows } = booksOf(() => api.orm);
const runsOf = (orderId: number) => processesOf(orderId, 'state', 'stage');

beforeAll(async () => {
  warehouse = await startReturnsSimulator();
  api = await testApi({ settings: { RETURNS_SERVICE_URL: warehouse.url }, expectsFaults: true });
  ({ locationId } = await aShop(fork()));
});
afterAll(async () => {
  await api.close();
  await warehouse.stop();
});
const runBy = (providers: string) => configure('vendor_pos_terminal/returns/providers', providers);

interface Sale {
  orderId: number;
  itemId: number;
}

const sale = async (wanted = {}): Promise<Sale> => {
  const order = await anOrder(fork(), wanted);
  return { orderId: order.orderId, itemId: order.itemIds[0]! };
};

const send = async ({ orderId, itemId }: Sale, headers: Record<string, string>, more: Record<string, unknown> = {}) => {
  const {
    status,
    body,
    headers: got,
  } = await api.call('POST', '/V1/pos/rma/process', {
    token: api.tokens.register,
    headers,
    body: {
      orderId,
      items: JSON.stringify([{ order_item_id: itemId, qty: 1, reason: 'Too big' }]),
      resolution: 'refund',
      isOnline: false,
      ...more,
    },
  });
  return { status, body, isReplay: got.get(replayHeader) === 'true' };
};
const process = (one: Sale, requestId?: string, more?: Record<string, unknown>) =>
  send(one, requestId === undefined ? {} : { 'x-request-id': requestId }, more);

describe.each([
  ['the built-in returns', 'builtin'],
  ['no returns module', ''],
])('by %s', (_name, providers) => {
  beforeAll(() => runBy(providers));

  test('the same request again is the same refund, though more of the goods could come back', async () => {
    const one = await sale();
    const id = `till-7-${one.orderId}`;
    const first = await process(one, id);
    // What is over is answered without its workflow.
    const again = await api.without('Temporal', () => process(one, id));

    expect(first).toMatchObject({ status: 200, body: { success: true, refund_total: 54 }, isReplay: false });
    expect(again).toEqual({ ...first, isReplay: true });
    expect(await memosOf(one.orderId)).toHaveLength(1);
  });

  test('without an id of its own each request is one more refund', async () => {
    const one = await sale();
    await process(one);
    expect(await process(one)).toMatchObject({ status: 200, body: { success: true }, isReplay: false });
    expect(await memosOf(one.orderId)).toHaveLength(2);
  });

  test('eight at once with one id give the money back once, and all get the same answer', async () => {
    const one = await sale();
    const answers = await eightAtOnce(() => process(one, `till-7-${one.orderId}`));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.credit_memo_id}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { success: true } });
    expect(await memosOf(one.orderId)).toHaveLength(1);
  });

  test.each([
    ['another quantity', ({ itemId }) => ({ items: JSON.stringify([{ order_item_id: itemId, qty: 2 }]) })],
    [
      'a second row',
      ({ itemId }) => ({ items: JSON.stringify([1, 1].map((qty) => ({ order_item_id: itemId, qty }))) }),
    ],
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
    const id = `till-7-${one.orderId}`;
    await process(one, id);
    expect(await process(one, id, { comment: 'Handle is loose.' })).toMatchObject({ isReplay: true });
  });

  test('two orders with one id at once: one has its refund, the other is refused', async () => {
    const sales = [await sale(), await sale()];
    const answers = await Promise.all(sales.map((one) => process(one, `till-8-${sales[0]!.orderId}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    const memos = await Promise.all(sales.map(({ orderId }) => memosOf(orderId)));
    expect(memos.flat()).toHaveLength(1);
  });

  test('while Temporal is away nothing is written; then the same request is carried out', async () => {
    const one = await sale();
    const id = `till-7-${one.orderId}`;
    expect((await api.without('Temporal', () => process(one, id))).status).toBe(503);
    expect(await runsOf(one.orderId)).toEqual([]);
    expect(await process(one, id)).toMatchObject({ status: 200, body: { success: true } });
  });

  test('without a worker nothing begins, now or later; then the same request is carried out', async () => {
    const one = await sale();
    const key = { 'idempotency-key': `till-7-${one.orderId}` };
    expect((await api.without('a worker', () => send(one, key))).status).toBe(503);
    expect(await runsOf(one.orderId)).toEqual([]);
    expect(await send(one, key)).toMatchObject({ status: 200, body: { success: true } });
    expect(await memosOf(one.orderId)).toHaveLength(1);
  });
});

test('of eight at once by the built-in returns one carries the request out, and the others are told so', async () => {
  await runBy('builtin');
  const one = await sale();
  const answers = await eightAtOnce(() => process(one, `till-7-${one.orderId}`));
  expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
});

describe('a run that stands', () => {
  beforeEach(() => runBy(''));

  /** A request whose run was written down, and whose workflow was lost. */
  const interrupted = async () => {
    const one = await sale();
    const key = { 'idempotency-key': `till-9-${one.orderId}` };
    await api.without('Temporal', () => send(one, key));
    const [asked] = await rows('select operation_key from keyed_request order by created_at desc limit 1');
    const requestKey = String(asked?.['operation_key']);
    const items = [aProcessedItem(one.itemId)];
    const { processId } = await aProcess(api.orm, { orderId: one.orderId, items, requestKey });
    return { one, processId, again: () => send(one, key) };
  };

  test('is taken up by the same request', async () => {
    const { one, again } = await interrupted();
    expect(await again()).toMatchObject({ status: 200, body: { success: true }, isReplay: true });
    expect(await memosOf(one.orderId)).toHaveLength(1);
  });

  test('is 503 while nobody goes on with it', async () => {
    const { one, again } = await interrupted();
    expect((await api.without('a worker', again)).status).toBe(503);
    expect(await runsOf(one.orderId)).toMatchObject([{ state: 'open' }]);
  });

  test.each([
    ['refused', 400, 'No.'],
    ['failed', 500, 'Nobody can read what it said.'],
  ] as const)('and that turns out to be %s before anybody heard so: the row has it', async (state, status, message) => {
    const { processId, again } = await interrupted();
    const answer = await api.without('a worker', async () => {
      const asked = again();
      await refuseProcess(api.orm.em, { processId, state, refusal: { status, message } });
      return asked;
    });
    expect(answer).toMatchObject({ status, body: { message } });
  });

  test('and was refused stays so, however often it is asked again', async () => {
    await runBy('warehouse');
    warehouse.mood = 'refuses';
    const one = await sale();
    const id = `till-7-${one.orderId}`;
    const answers = [await process(one, id), await process(one, id)];
    warehouse.mood = 'answers';
    for (const { status, body } of [...answers, await api.without('Temporal', () => process(one, id))])
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: 'The warehouse does not take this product.',
      });
    expect(await runsOf(one.orderId)).toMatchObject([{ state: 'refused' }]);
  });

  test('and was delayed by another refund is judged again by the same request, once that refund is decided', async () => {
    const { attemptId } = await aRefundAttempt(api.orm, { locationId });
    const { one, processId, again } = await interrupted();
    const parameters = { outcome: 'gateway_uncertain', refund_attempt_id: attemptId };
    const refusal = { status: 409, message: 'Another refund is undecided.', parameters };
    await refuseProcess(api.orm.em, { processId, state: 'refused', refusal });
    expect(await again()).toMatchObject({ status: 409, isReplay: true });
    await recordFinding(api.orm.em, {
      attemptId,
      finding: { evidence: 'not_refunded', isFinal: true },
      now: new Date(),
    });
    expect(await again()).toMatchObject({ status: 200, body: { success: true }, isReplay: false });
    expect(await again()).toMatchObject({ status: 200, isReplay: true });
    expect(await memosOf(one.orderId)).toHaveLength(1);
  });
});

test.each([
  ['refused', { status: 400, body: { message: 'No.' } }],
  ['left', { status: 200, body: { success: false, error: expect.stringMatching(/^No returns provider took return/) } }],
  ['open', { status: 503 }],
] as const)('of a return, too: a late answer is what its run came to, %s', async (end, expected) => {
  await runBy('');
  const { returnId } = await aRequestedReturn(api.orm);
  const refusal = { status: 400, message: 'No.' };
  const answer = await api.without('a worker', async () => {
    const body = { resolution: 'refund', isOnline: false };
    const asked = api.call('POST', `/V1/pos/rma/${returnId}/process`, { token: api.tokens.register, body });
    const { processId } = await openProcessOfReturn(api.orm.em, {
      ...{ returnId, requestKey: `late-${returnId}`, resolution: 'refund', isOnline: false, author: 'Ann' },
      ...{ canRefundThrough: () => false, storeCreditIn: undefined },
    });
    if (end === 'refused') await refuseProcess(api.orm.em, { processId: processId ?? 0, state: 'refused', refusal });
    if (end === 'left') await leaveUnattempted(api.orm.em, processId ?? 0);
    return asked;
  });
  expect(answer).toMatchObject(expected);
});
