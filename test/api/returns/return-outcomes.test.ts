import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { aWait } from '../../../api/returns/ask-return.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { answerWithinMs } from '../../../domain/patience.ts';
import { startGatewaySimulator, type GatewaySimulator } from '../../../local/simulators/app.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused, type Refused } from '../../support/expect-refused.ts';
import { nameGatewayKeys } from '../../support/flow.ts';
import { booksOf } from '../../support/books.ts';

/** How the verbs of a return are refused, word for word. */

let api: TestApi;
let locationId: number;
let gateway: GatewaySimulator;

const { fork, change, itemsOf } = booksOf(() => api.orm);

beforeAll(async () => {
  gateway = await startGatewaySimulator({ port: 0 });
  api = await testApi({ settings: { GATEWAY_SIMULATOR_URL: gateway.url } });
  ({ locationId } = await aShop(fork()));
  await nameGatewayKeys(api);
  await change('pos_location', { location_id: locationId }, { damaged_stock_source_code: null });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
  await gateway.stop();
});

const cardNumber = '4111 1111 1111 1111';
const carriesCard = 'The text must not be stored: it carries a card number.';
const away = 'The workflow service cannot be reached. Try again in a moment.';
const waitedTooLong = 'The request waited too long, and nothing was done. Try again later.';

const call = (path: string, body: object = {}, method = 'POST') =>
  api.call(method, `/V1/pos/rma${path === '' ? '' : `/${path}`}`, { token: api.tokens.register, body });

const create = async (more: object, sold: WantedOrder = {}, row: object = {}) => {
  const { orderId, itemIds } = await anOrder(fork(), sold);
  const items = itemIds.map((id) => ({ order_item_id: id, qty_requested: 1, resolution: 'Refund', ...row }));
  const body = { orderId, items: JSON.stringify(items), ...more };
  return api.call('POST', '/V1/pos/rma', { token: api.tokens.register, body });
};
const made = async (more: object, sold: WantedOrder = {}) => (await create(more, sold)).body.id as number;
const waiting = (sold: WantedOrder = {}) => made({ autoApprove: false }, sold);
const parked = () => made({ autoApprove: true, locationId, refundMethod: 'cash' });
/** Parked, and a gateway may have the money on its way. */
const underWay = async () => (await aRefundAttempt(api.orm, { locationId, state: 'started' })).returnId;
const uncertain = async () => (await aRefundAttempt(api.orm, { locationId })).returnId;
const process = (returnId: number, isOnline = false) => call(`${returnId}/process`, { resolution: 'refund', isOnline });
/** A parked return of a mug and a plate, whose lines are settled by these methods. */
const resolved = async (...methods: string[]) => {
  const lines = ['MUG', 'PLATE'].map((sku) => ({ sku, qty: 1, price: '10.00' }));
  const { body } = await create({ autoApprove: true, locationId, refundMethod: 'cash' }, { lines });
  const decided = methods.map((method, at) => ({
    rma_item_id: body.items[at].entity_id,
    resolution_mode: 'refund',
    refund_method: method,
  }));
  return call(`${body.id}/resolve`, { resolutionsJson: JSON.stringify(decided) });
};

const attempted = async (verb: string, body: object = {}) => {
  const { attemptId } = await aRefundAttempt(api.orm, { locationId });
  return api.without('Temporal', () => call(`refund-attempts/${attemptId}/${verb}`, body));
};
/** Approved at once, and held: the shop has no place for what came back. */
const held = () => create({ autoApprove: true, locationId }, {}, { inspected_condition: 'damaged' });
/** Its creation is refused again, whoever asks. */
const heldStill = async (verb: string, body: (rma_item_id: number) => object) => {
  const { body: refusal } = await held();
  const returnId = Number(refusal.parameters.return_id);
  const [line] = await itemsOf(returnId, 'entity_id');
  return call(`${returnId}/${verb}`, body(line?.entity_id));
};

const refusals: Refused[] = [
  {
    when: 'Temporal is away as the gateway is asked again',
    send: () => attempted('reconcile'),
    ...{ status: 503, said: away },
  },
  {
    when: 'Temporal is away as an operator decides',
    send: () => attempted('resolve', { resolution: 'refunded', staffName: 'Olga', note: 'seen in the portal' }),
    ...{ status: 503, said: away },
  },
  {
    when: 'damaged goods come to a location without a place for them',
    send: held,
    status: 400,
    said: 'The location has no source for damaged goods, so "…',
  },
  {
    when: 'goods are taken in whose return is held',
    send: () => heldStill('receive', (rma_item_id) => ({ locationId, itemsJson: JSON.stringify([{ rma_item_id }]) })),
    ...{ status: 409, said: 'return_not_ready' },
  },
  {
    when: 'the lines of a return are decided that is held',
    send: () =>
      heldStill('resolve', (rma_item_id) => ({
        resolutionsJson: JSON.stringify([{ rma_item_id, resolution_mode: 'repair' }]),
      })),
    ...{ status: 409, said: 'return_not_ready' },
  },
  {
    when: 'a return is taken to its end that is held',
    send: () => heldStill('process', () => ({ resolution: 'refund', isOnline: false })),
    ...{ status: 409, said: 'return_not_ready' },
  },
  {
    when: 'the order of a return is not there',
    send: () => call('', { orderId: 999_999, items: '[{"order_item_id":1,"qty_requested":1,"resolution":"Refund"}]' }),
    ...{ status: 404, said: "The entity that was requested doesn't exist. Verify the entity and try again." },
  },
  {
    when: 'a comment of a cancelled refund carries a card number',
    send: async () => call(`${await parked()}/cancel-refund`, { comment: cardNumber }),
    ...{ status: 400, said: carriesCard },
  },
  {
    when: 'a comment of a close carries a card number',
    send: async () => call(`${await waiting()}/close`, { comment: cardNumber }),
    ...{ status: 400, said: carriesCard },
  },
  {
    when: 'a comment of an approval carries a card number',
    send: async () => call(`${await waiting()}/status`, { status: 'approved', comment: cardNumber }, 'PUT'),
    ...{ status: 400, said: carriesCard },
  },
  {
    when: 'a refund to cancel is under way, and Temporal is away',
    send: async () => {
      const returnId = await underWay();
      return api.without('Temporal', () => call(`${returnId}/cancel-refund`));
    },
    ...{ status: 503, said: away },
  },
  {
    when: 'a refund to cancel was under way, and nobody is there to tell its end',
    send: async () => {
      const returnId = await underWay();
      return api.without('a worker', () => call(`${returnId}/cancel-refund`));
    },
    ...{ status: 409, said: 'gateway_uncertain' },
  },
  {
    when: 'a return is settled while its refund is under way, and Temporal is away',
    send: async () => {
      const returnId = await underWay();
      return api.without('Temporal', () => call(`${returnId}/settle`, { method: 'cash' }));
    },
    ...{ status: 503, said: away },
  },
  {
    when: 'goods that were not taken in are settled',
    send: async () => call(`${await waiting()}/settle`, { method: 'cash' }),
    ...{ status: 400, said: 'A return in status "%1" cannot be settled.' },
  },
  {
    when: 'a line is without a resolution',
    send: () => resolved('cash'),
    ...{ status: 400, said: 'Every line of the return needs a resolution; line %1 has none.' },
  },
  {
    when: 'two lines are settled in two ways',
    send: () => resolved('cash', 'terminal'),
    ...{ status: 400, said: 'A return is settled in one way; its lines name "%1" and "%2".' },
  },
  {
    when: 'a return is settled, and nobody is there to do it',
    send: async () => {
      const returnId = await parked();
      return api.without('a worker', () => call(`${returnId}/settle`, { method: 'cash' }));
    },
    ...{ status: 503, said: waitedTooLong },
  },
  {
    when: 'Temporal is away as a return is taken to its end',
    send: async () => {
      const returnId = await waiting();
      return api.without('Temporal', () => process(returnId));
    },
    ...{ status: 503, said: away },
  },
  {
    when: 'a return is to be taken to its end, and nobody is there to do it',
    send: async () => {
      const returnId = await waiting();
      return api.without('a worker', () => process(returnId));
    },
    ...{ status: 503, said: waitedTooLong },
  },
  {
    when: 'a refund of a return that is taken to its end is not decided',
    send: async () => process(await uncertain()),
    ...{ status: 409, said: 'gateway_uncertain' },
  },
  {
    when: 'the gateway refuses as a return is taken to its end',
    send: async () => {
      const lines = [{ sku: 'MUG', qty: 1, price: '12.51' }];
      return process(await waiting({ lines, method: 'provider_a', lastTransId: 'pay_2' }), true);
    },
    ...{ status: 400, said: 'gateway_refused' },
  },
];

test.each(refusals)('$when: $status', async (refused) => {
  await expectRefused(refused);
});

test('a refund that is booked between the two looks of who waits for it is never told as refused', async () => {
  const { returnId, attemptId } = await aRefundAttempt(api.orm, { locationId, state: 'started' });
  const clock = jest
    .spyOn(performance, 'now')
    .mockReturnValueOnce(0)
    .mockReturnValue(answerWithinMs * 2);
  try {
    const waiting = aWait({ em: fork() }, { returnId, attemptId: null });
    const finding = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` } as const;
    await recordFinding(api.orm.em, { attemptId, finding, now: new Date() });
    // The first look read the row before that was committed.
    let looks = 0;
    const seen = await waiting.until(
      ({ status }) => looks++ > 0 && status === 'closed',
      () => {
        throw new Error('it was begun');
      },
    );
    expect(seen).toMatchObject({ returnId, status: 'closed' });
  } finally {
    clock.mockRestore();
  }
});
