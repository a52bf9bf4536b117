import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import type { Workflows } from '../../../providers/temporal/workflows.ts';
import { cancelLayaway, type LayawayToEnd } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment, type LayawayPayment } from '../../../db/layaways/capture-payment.ts';
import { notePassed } from '../../../db/process/note-asked.ts';
import { settleProcess } from '../../../db/process/settle-process.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { loseLastAnswer } from '../../support/books/lost-answer.ts';
import { aLayaway } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';

/** Requests with a key whose process is cut off after a commit and before the answer, and that are sent again. */
let api: TestApi;
let locationId: number;
let work: (given: object) => Promise<unknown>;
let cutsOff: boolean;

const workflows: Workflows = {
  async ask(question) {
    const answer = await work({ ...Object(question.input), ...Object(question.request) });
    if (cutsOff) throw new Error('cut off between the commit and the answer');
    return answer as never;
  },
  signal: () => Promise.resolve(),
  start: () => Promise.resolve(),
  refuseWhileAway: async () => undefined,
  isReachable: () => Promise.resolve(true),
};

beforeAll(async () => {
  api = await testApi({ workflows, expectsFaults: true });
  ({ locationId } = await aShop(fork()));
});
beforeEach(() => {
  cutsOff = false;
  work = async () => ({});
});
afterAll(() => api.close());

const books = booksOf(() => api.orm);
const { memosOf, moneyInOf, returnsOf, cancellationsOf, fork, change, howMany } = books;

/** Sends a request until it is answered: the first time it is cut off. Then once more. */
async function sendTwice(path: string, body: unknown) {
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => api.call('POST', path, { token: api.tokens.register, body, headers });
  cutsOff = true;
  const cut = await send();
  cutsOff = false;
  // What needs no workflow is committed and answered in one go: there only the answer can be lost.
  if (cut.status === 200) await loseLastAnswer(books);
  const first = await send();
  const replay = await send();
  expect([200, 500]).toContain(cut.status);
  expect([first.status, replay.status]).toEqual([200, 200]);
  expect(replay.body).toEqual(first.body);
  expect(replay.headers.get(replayHeader)).toBe('true');
  return first;
}

test('a payment of a layaway without a reference is booked once', async () => {
  const { orderId } = await aLayaway(fork());
  work = (given) => capturePayment(api.orm.em, given as LayawayPayment);
  const { body } = await sendTwice(`/V1/pos/layaways/${orderId}/payments`, { amount: 40, paymentMethod: 'cash' });
  expect(body).toMatchObject({ total_captured: 40, balance_owed: 68 });
  expect(await moneyInOf(orderId)).toHaveLength(1);
});

test('two payments with keys of their own are two', async () => {
  const { orderId } = await aLayaway(fork());
  work = (given) => capturePayment(api.orm.em, given as LayawayPayment);
  await sendTwice(`/V1/pos/layaways/${orderId}/payments`, { amount: 40, paymentMethod: 'cash' });
  const { body } = await sendTwice(`/V1/pos/layaways/${orderId}/payments`, { amount: 40, paymentMethod: 'cash' });
  expect(body).toMatchObject({ total_captured: 80 });
});

test('a layaway is cancelled once, and the register learns what to hand back', async () => {
  const { orderId } = await aLayaway(fork());
  work = (given) => cancelLayaway(api.orm.em, given as LayawayToEnd);
  const { body } = await sendTwice(`/V1/pos/layaways/${orderId}/cancel`, { feePercent: 0, reason: '' });
  expect(body).toMatchObject({ order_id: orderId, status: 'cancelled' });
  expect(await cancellationsOf(orderId)).toHaveLength(1);
});

test('a return without a sale id is made once, and is new to a register that lost the answer', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  const items = JSON.stringify([{ order_item_id: itemIds[0], qty_requested: 1 }]);
  const { body } = await sendTwice('/V1/pos/rma', { orderId, items });
  expect(body).toMatchObject({ order_id: orderId, reused: false });
  expect(await returnsOf(orderId)).toHaveLength(1);
});

test('a collapsed return is run once, whatever the request ids of its repeats', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  work = async (given) => {
    const processId = Number(Reflect.get(given, 'processId'));
    await notePassed(fork(), processId);
    await settleProcess(api.orm.em, processId);
  };
  const items = JSON.stringify([{ order_item_id: itemIds[0], qty: 1 }]);
  const { body } = await sendTwice('/V1/pos/rma/process', { orderId, items, resolution: 'refund' });
  expect(body).toMatchObject({ success: true });
  expect(await memosOf(orderId)).toHaveLength(1);
});

test('a comment on a return is written once, though its answer was lost', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  const items = JSON.stringify([{ order_item_id: itemIds[0], qty_requested: 1 }]);
  const created = await api.call('POST', '/V1/pos/rma', { token: api.tokens.register, body: { orderId, items } });
  const headers = { 'idempotency-key': randomUUID() };
  const comment = () =>
    api.call('POST', `/V1/pos/rma/${created.body.id}/comment`, {
      token: api.tokens.register,
      body: { comment: 'Box was open' },
      headers,
    });
  await comment();
  await loseLastAnswer(books);
  expect((await comment()).status).toBe(200);
  expect(await howMany('sale_return_comment', { comment: 'Box was open' })).toBe(1);
});

test('while the refund of a create is uncertain every repeat gets the 409 of the first call', async () => {
  const { returnId, orderId, attemptId } = await aRefundAttempt(api.orm, { locationId });
  await change(
    'sale_return',
    { return_id: returnId },
    { is_ready: true, pos_sale_id: 'uncertain', requested_refund_method: 'original_payment' },
  );
  const body = { orderId, items: JSON.stringify([{ order_item_id: 1, qty_requested: 1 }]), posSaleId: 'uncertain' };
  const create = (headers = {}) => api.call('POST', '/V1/pos/rma', { token: api.tokens.register, body, headers });
  const uncertain = {
    status: 409,
    body: {
      parameters: {
        outcome: 'gateway_uncertain',
        refund_attempt_id: attemptId,
        refund_attempt_state: 'uncertain',
        return_id: returnId,
      },
    },
  };
  const headers = { 'idempotency-key': randomUUID() };
  expect(await create()).toMatchObject(uncertain);
  expect(await create(headers)).toMatchObject(uncertain);

  await change('refund_attempt', { attempt_id: attemptId }, { state: 'failed' });
  expect(await create(headers)).toMatchObject({ status: 200, body: { reused: true } });
});
