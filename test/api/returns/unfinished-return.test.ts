import { afterAll, beforeAll, expect, test } from 'vitest';
import { asRefusal, away as unreachable } from '../../../providers/temporal/workflow-failures.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { losesAnswers } from '../../support/lost-answers.ts';

/** What a create answers while workflows are away and the gateway hangs up. */
let api: TestApi;
let locationId: number;
let gateway: Awaited<ReturnType<typeof losesAnswers>>;
/** Whether Temporal is there, and only too slow. */
let isReachable = false;

const { find } = booksOf(() => api.orm);

beforeAll(async () => {
  gateway = await losesAnswers();
  const late = Object.assign(new Error('deadline'), { code: 4, details: '', metadata: {} });
  const away = async () => {
    throw isReachable ? asRefusal(late) : unreachable();
  };
  api = await testApi({
    workflows: {
      ask: away,
      signal: away,
      start: away,
      refuseWhileAway: async () => undefined,
      isReachable: async () => isReachable,
    },
    settings: { GATEWAY_SIMULATOR_URL: gateway.url },
  });
  ({ locationId } = await aShop(api.orm.em.fork()));
});
afterAll(async () => {
  await api.close();
  await gateway.close();
});

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });

async function unfinished(more: object, paid: object = { method: 'provider_a', lastTransId: 'pay_1' }) {
  const order = await anOrder(api.orm.em.fork(), paid);
  const wish = {
    orderId: order.orderId,
    items: JSON.stringify([{ order_item_id: order.itemIds[0], qty_requested: 1 }]),
    autoApprove: true,
    locationId,
    refundMethod: 'original_payment',
    ...more,
  };
  return { wish, first: await call('POST', '/V1/pos/rma', wish) };
}

test('a creation that cannot be finished now: 409 with the return; a sale id finds it again, without one it is only read', async () => {
  const { wish, first } = await unfinished({ posSaleId: 'sale-unfinished' });
  const returnId: number = first.body.parameters.return_id;
  expect(first).toMatchObject({
    status: 409,
    body: { parameters: { outcome: 'sale_return_being_created', return_id: returnId } },
  });
  expect((await call('POST', '/V1/pos/rma', wish)).body).toEqual(first.body);
  expect((await call('GET', `/V1/pos/rma/${returnId}`)).body).toMatchObject({
    status: 'awaiting_refund',
    ready: false,
    refund_attempt_state: 'started',
  });

  const { first: nameless } = await unfinished({});
  expect(nameless).toMatchObject({ status: 409, body: { parameters: { outcome: 'return_not_ready' } } });
  expect((await call('GET', `/V1/pos/rma/${nameless.body.parameters.return_id}`)).status).toBe(200);
});

test('the call whose answer was lost is made once, and is over for whoever looks it up', async () => {
  const { wish, first } = await unfinished({ posSaleId: 'sale-asked-once' });
  await call('POST', '/V1/pos/rma', wish);
  const returnId: number = first.body.parameters.return_id;
  const attempts = await find('refund_attempt', { return_id: returnId }, 'state', 'gateway_outcome', 'call_ended_at');
  expect(attempts).toEqual([
    { state: 'started', gateway_outcome: expect.any(String), call_ended_at: expect.anything() },
  ]);
});

test('a payment that no gateway can give back needs no workflow: the return is parked, and says why', async () => {
  const { first } = await unfinished({}, { method: 'checkmo' });
  expect(first).toMatchObject({ status: 400, body: { parameters: { outcome: 'refund_from_admin' } } });
  const { body } = await call('GET', `/V1/pos/rma/${first.body.parameters.return_id}`);
  expect(body).toMatchObject({ status: 'awaiting_refund' });
  expect(body).not.toHaveProperty('ready', false);
});

test.each([
  [false, 503, 'The workflow service cannot be reached. Try again in a moment.'],
  [true, 504, 'The work is still going on. Read the record again in a moment.'],
])(
  'goods and money back in one call, the answer lost, Temporal there: %s; it answers %s',
  async (there, status, said) => {
    const { orderId, itemIds } = await anOrder(api.orm.em.fork(), { method: 'provider_a', lastTransId: 'pay_1' });
    const items = JSON.stringify([{ order_item_id: itemIds[0], qty: 1 }]);
    isReachable = there;
    const answer = await call('POST', '/V1/pos/rma/process', { orderId, items, resolution: 'refund', isOnline: true });
    isReachable = false;
    expect(answer).toMatchObject({ status, body: { message: said } });
    expect(await find('return_process', { order_id: orderId }, 'state', 'stage')).toEqual([
      { state: 'open', stage: 'taken' },
    ]);
  },
);
