import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { loseAnswer } from '../../support/books/lost-answer.ts';
import { losesAnswers } from '../../support/lost-answers.ts';

/** What a create answers while nobody carries it out, and where the gateway hangs up. */
let api: TestApi;
let locationId: number;
let gateway: Awaited<ReturnType<typeof losesAnswers>>;

const { movementsOf, find, returnsOf, processesOf, fork, change } = booksOf(() => api.orm);

beforeAll(async () => {
  gateway = await losesAnswers();
  api = await testApi({ settings: { GATEWAY_SIMULATOR_URL: gateway.url } });
  ({ locationId } = await aShop(fork()));
});
afterAll(async () => {
  await api.close();
  await gateway.close();
});

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  api.call(method, path, { token: api.tokens.register, headers, ...(body === undefined ? {} : { body }) });

const paidByCard = { method: 'provider_a', lastTransId: 'pay_1' };
const returnOf = (orderId: number, itemId: number | undefined, more: object = {}) => ({
  orderId,
  items: JSON.stringify([{ order_item_id: itemId, qty_requested: 1 }]),
  autoApprove: true,
  locationId,
  refundMethod: 'original_payment',
  ...more,
});

async function created(more: object, paid: object = paidByCard) {
  const { orderId, itemIds } = await anOrder(fork(), paid);
  const wish = returnOf(orderId, itemIds[0], more);
  return { orderId, wish, first: await call('POST', '/V1/pos/rma', wish) };
}

test('a return that nobody goes on creating: 409 with the return, which can be read; then the same request finishes it', async () => {
  const posSaleId = 'sale-unfinished';
  const { returnId, orderId, orderItemId } = await aReturn(api.orm, { locationId, refundMethod: 'cash', posSaleId });
  const send = () => call('POST', '/V1/pos/rma', returnOf(orderId, orderItemId, { posSaleId, refundMethod: 'cash' }));

  expect(await api.without('a worker', send)).toMatchObject({
    status: 409,
    body: { parameters: { outcome: 'sale_return_being_created', return_id: returnId } },
  });
  expect((await call('GET', `/V1/pos/rma/${returnId}`)).body).toMatchObject({ status: 'pending', ready: false });
  expect(await send()).toMatchObject({ status: 200, body: { id: returnId, status: 'awaiting_refund', ready: true } });
});

test('a return without a sale id that nobody goes on creating is only read: 409 says so', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  const wish = returnOf(orderId, itemIds[0], { refundMethod: 'cash' });
  const send = () => call('POST', '/V1/pos/rma', wish, { 'idempotency-key': 'nameless' });
  const returnId: number = (await send()).body.id;
  // As a crash leaves it.
  await change('sale_return', { return_id: returnId }, { is_ready: false });
  await loseAnswer({ change }, { made_id: returnId });

  expect(await api.without('a worker', send)).toMatchObject({
    status: 409,
    body: { parameters: { outcome: 'return_not_ready', return_id: returnId } },
  });
  expect((await call('GET', `/V1/pos/rma/${returnId}`)).status).toBe(200);
});

describe.each([
  ['a key', { 'idempotency-key': 'nobody-there' }, {}],
  ['a sale id', {}, { posSaleId: 'sale-nobody-there' }],
])('a creation by %s that nobody carries out', (_name, headers, more) => {
  test.each(['a worker', 'Temporal'] as const)(
    'without %s is 503 and leaves nothing, now or later; the same request makes one return',
    async (missing) => {
      const { orderId, itemIds } = await anOrder(fork());
      const named = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, `${value}-${orderId}`]));
      const wish = returnOf(orderId, itemIds[0], {
        ...{ ...more, refundMethod: 'cash' },
        ...('posSaleId' in more ? { posSaleId: `${more.posSaleId}-${orderId}` } : {}),
      });
      const send = () => call('POST', '/V1/pos/rma', wish, named);

      const first = await api.without(missing, send);
      expect(first.status).toBe(503);
      expect(first.headers.get('retry-after')).not.toBeNull();
      expect(await returnsOf(orderId)).toEqual([]);
      const second = await send();
      expect(second).toMatchObject({ status: 200, body: { status: 'awaiting_refund' } });
      expect((await send()).body.id).toBe(second.body.id);
      expect(await returnsOf(orderId)).toHaveLength(1);
    },
  );
});

test('the call whose answer was lost is made once, and is over for whoever looks it up', async () => {
  const { wish, first } = await created({ posSaleId: 'sale-asked-once' });
  const again = await call('POST', '/V1/pos/rma', wish);
  const returnId: number = first.body.parameters.return_id;
  expect(first).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
  expect(again.body).toEqual(first.body);
  const attempts = await find('refund_attempt', { return_id: returnId }, 'state', 'gateway_outcome', 'call_ended_at');
  expect(attempts).toEqual([
    { state: 'uncertain', gateway_outcome: expect.any(String), call_ended_at: expect.anything() },
  ]);
});

test('a payment that no gateway can give back: the return stands, no goods moved, and says why', async () => {
  const { first } = await created({}, { method: 'checkmo' });
  expect(first).toMatchObject({ status: 400, body: { parameters: { outcome: 'refund_from_admin' } } });
  const { body } = await call('GET', `/V1/pos/rma/${first.body.parameters.return_id}`);
  expect(body).toMatchObject({ status: 'pending', credit_memo_id: null });
  expect(await movementsOf(first.body.parameters.return_id)).toEqual([]);
});

test('goods and money back in one call, the answer lost: 409, and the goods are in', async () => {
  const { orderId, itemIds } = await anOrder(fork(), paidByCard);
  const items = JSON.stringify([{ order_item_id: itemIds[0], qty: 1 }]);
  const answer = await call('POST', '/V1/pos/rma/process', { orderId, items, resolution: 'refund', isOnline: true });
  expect(answer).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
  expect(await processesOf(orderId, 'state', 'stage')).toEqual([{ state: 'open', stage: 'taken' }]);
  expect(await returnsOf(orderId)).toMatchObject([{ status: 'awaiting_refund' }]);
});
