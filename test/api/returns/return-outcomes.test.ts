import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asRefusal, away as unreachableService } from '../../../providers/temporal/workflow-failures.ts';
import type { Workflows } from '../../../providers/temporal/workflows.ts';
import { refuseProcess } from '../../../db/process/refuse-process.ts';
import { receiveReturn } from '../../../db/returns/receive-return.ts';
import { resolveReturn } from '../../../db/returns/resolve-return.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused, type Refused } from '../../support/expect-refused.ts';
import { booksOf } from '../../support/books.ts';

/** How the verbs of a return are refused, word for word. What the workflow does is stood in for. */

let api: TestApi;
let locationId: number;
/** What becomes of a question to a workflow. */
let life: (processId: number) => Promise<unknown>;

const { itemsOf, fork, change } = booksOf(() => api.orm);

const workflows: Workflows = {
  ask: async (question) => (await life(processOf(question.input) ?? processOf(question.request) ?? 0)) as never,
  signal: async () => undefined,
  start: async () => undefined,
  refuseWhileAway: async () => undefined,
  isReachable: async () => true,
};
const processOf = (given: unknown) => Reflect.get(Object(given), 'processId') as number | undefined;

/** As Temporal's client fails when the deadline has passed. */
const late = () => Object.assign(new Error('deadline'), { code: 4, details: '', metadata: {} });
const silent = (isReachable: boolean) => async () => {
  throw isReachable ? asRefusal(late()) : unreachableService();
};
const unreachable = silent(false);

beforeAll(async () => {
  api = await testApi({ workflows, settings: { GATEWAY_SIMULATOR_URL: 'http://127.0.0.1:1' } });
  ({ locationId } = await aShop(fork()));
  await change('pos_location', { location_id: locationId }, { damaged_stock_source_code: null });
});
beforeEach(() => {
  life = async () => {
    throw new Error('No workflow has a word in this.');
  };
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const cardNumber = '4111 1111 1111 1111';
const carriesCard = 'The text must not be stored: it carries a card number.';
const away = 'The workflow service cannot be reached. Try again in a moment.';
const goesOn = 'The work is still going on. Read the record again in a moment.';

const call = (path: string, body: object = {}, method = 'POST') =>
  api.call(method, `/V1/pos/rma${path === '' ? '' : `/${path}`}`, { token: api.tokens.register, body });

const create = async (more: object, sold: WantedOrder = {}, row: object = {}) => {
  const { orderId, itemIds } = await anOrder(fork(), sold);
  const items = itemIds.map((id) => ({ order_item_id: id, qty_requested: 1, resolution: 'Refund', ...row }));
  const body = { orderId, items: JSON.stringify(items), ...more };
  return api.call('POST', '/V1/pos/rma', { token: api.tokens.register, body });
};
const made = async (more: object) => (await create(more)).body.id as number;
const waiting = () => made({ autoApprove: false });
const parked = () => made({ autoApprove: true, locationId, refundMethod: 'cash' });
/** Parked, and a gateway may have the money on its way. */
const underWay = async () => (await aRefundAttempt(api.orm, { locationId, state: 'started' })).returnId;
const uncertain = async () => (await aRefundAttempt(api.orm, { locationId })).returnId;
const refundedBy = async (kept: (processId: number) => Promise<unknown>) => {
  life = kept;
  return call(`${await waiting()}/process`, { resolution: 'refund', isOnline: false });
};
const during = async (verb: string, kept: () => Promise<unknown>, body: object = {}) => {
  life = kept;
  return call(`${await underWay()}/${verb}`, body);
};
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
  life = unreachable;
  const { attemptId } = await aRefundAttempt(api.orm, { locationId });
  return call(`refund-attempts/${attemptId}/${verb}`, body);
};
/** Approved at once, and held: the shop has no place for what came back. */
const held = () => create({ autoApprove: true, locationId }, {}, { inspected_condition: 'damaged' });
const resolveFirst = async (returnId: number) => {
  const [line] = await itemsOf(returnId, 'entity_id');
  const resolutions = [{ rmaItemId: Number(line!['entity_id']), mode: 'repair' as const, refundMethod: null }];
  return resolveReturn(api.orm.em, { returnId, resolutions, canRefundThrough: () => false });
};
/** As the workflow does it, once the creation was refused again. */
const heldStill = async (verb: string, work: (returnId: number) => Promise<unknown>, body: object) => {
  const { body: refusal } = await held();
  const returnId = Number(refusal.parameters.return_id);
  life = () => work(returnId);
  return call(`${returnId}/${verb}`, body);
};

const refusals: Refused[] = [
  {
    when: 'workflows are away as the gateway is asked again',
    send: () => attempted('reconcile'),
    ...{ status: 503, said: away },
  },
  {
    when: 'workflows are away as an operator decides',
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
    send: () =>
      heldStill('receive', (returnId) => receiveReturn(api.orm.em, { returnId, locationId, lines: [] }), {
        ...{ locationId, itemsJson: JSON.stringify([{ rma_item_id: 1 }]) },
      }),
    ...{ status: 409, said: 'return_not_ready' },
  },
  {
    when: 'the lines of a return are decided that is held',
    send: () =>
      heldStill('resolve', (returnId) => resolveFirst(returnId), {
        resolutionsJson: JSON.stringify([{ rma_item_id: 1, resolution_mode: 'repair' }]),
      }),
    ...{ status: 409, said: 'return_not_ready' },
  },
  {
    when: 'a return is taken to its end that is held',
    send: async () => {
      const { body } = await held();
      return call(`${body.parameters.return_id}/process`, { resolution: 'refund', isOnline: false });
    },
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
    when: 'a refund to cancel is under way, and workflows are away',
    send: () => during('cancel-refund', unreachable),
    ...{ status: 503, said: away },
  },
  {
    when: 'a refund to cancel is under way, and its end takes too long',
    send: () => during('cancel-refund', silent(true)),
    ...{ status: 504, said: goesOn },
  },
  {
    when: 'a return is settled while its refund is under way, and workflows are away',
    send: () => during('settle', unreachable, { method: 'cash' }),
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
    when: 'workflows are away as a return is taken to its end',
    send: () => refundedBy(unreachable),
    ...{ status: 503, said: away },
  },
  {
    when: 'taking a return to its end takes too long',
    send: () => refundedBy(silent(true)),
    ...{ status: 504, said: goesOn },
  },
  {
    when: 'a refund of a return that is taken to its end is not decided',
    send: async () => call(`${await uncertain()}/process`, { resolution: 'refund', isOnline: false }),
    ...{ status: 409, said: 'gateway_uncertain' },
  },
  {
    when: 'the gateway refuses as a return is taken to its end',
    send: () =>
      refundedBy((processId) =>
        refuseProcess(api.orm.em, {
          ...{ processId, state: 'refused' },
          refusal: { status: 400, message: 'It did not go through.', parameters: { outcome: 'gateway_refused' } },
        }),
      ),
    ...{ status: 400, said: 'gateway_refused' },
  },
];

test.each(refusals)('$when: $status', async (refused) => {
  await expectRefused(refused);
});
