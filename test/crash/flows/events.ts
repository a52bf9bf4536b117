import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventType } from '../../../domain/events.ts';
import type { CaughtDelivery } from '../../../local/simulators/webhooks.ts';
import { anAdminToken } from '../../support/builders/admin-token.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import type { Lane } from '../lane.ts';
import type { TellersAnswer } from '../teller.ts';
import { countOf } from './count-of.ts';

const endpoints = '/V1/pos/events/endpoints';
const types: EventType[] = ['order.placed', 'order.cancelled', 'endpoint.paused'];
const longestWaitMs = 150_000;
/** Housekeeping, which the matrix holds, begins a workflow again that nobody began. */
const begunAgainEveryMs = 5_000;
const keyed = () => ({ 'idempotency-key': randomUUID() });

/** A sale and its end, which are two events of one object. */
async function sellAndCancel({ teller }: Lane): Promise<number> {
  const entity = aPostedSale({ customer_id: null, extension_attributes: { pos_sale_id: randomUUID() } });
  const { body } = await teller.press('POST', '/V1/orders', { entity });
  await teller.press('POST', `/V1/orders/${body.entity_id}/cancel`);
  return body.entity_id;
}

interface Told {
  id: string;
  sequence: number;
  type: string;
  object: { id: string };
}

/** What the feed has of an order, as a register reads it. */
async function feedOf({ teller }: Lane, { after, orderId }: { after: number; orderId: number }): Promise<Told[]> {
  const { body } = await teller.press(
    'GET',
    `/V1/pos/events?after=${after}&types=order.placed,order.cancelled&limit=200`,
  );
  return (body.events as Told[]).filter(({ object }) => object.id === String(orderId));
}

const placeNow = async ({ teller }: Lane): Promise<number> =>
  (await teller.press('GET', '/V1/pos/events?wait=0')).body.next;

export const sellAndReadFeed: CrashFlow = {
  id: 'F43',
  title: 'sell, cancel, read both in the feed',
  processes: ['api'],
  async prepare(lane) {
    const after = await placeNow(lane);
    let orderId = 0;
    let read: Told[] = [];
    return {
      async go() {
        orderId = await sellAndCancel(lane);
        read = await feedOf(lane, { after, orderId });
      },
      faults: async () => [
        ...unlessEqual(
          'what was read',
          read.map(({ type }) => type),
          ['order.placed', 'order.cancelled'],
        ),
        ...unlessEqual('what is read again', await feedOf(lane, { after, orderId }), read),
        ...unlessEqual(
          'events of the order in the books',
          await countOf(lane, `from pos_event where object_kind = 'order' and object_id = ?`, String(orderId)),
          read.length,
        ),
      ],
      workflows: () => [],
    };
  },
};

interface Endpoint {
  endpointId: number;
  path: string;
}

/** Endpoints are for administrators. */
type Press = (method: string, path: string, body?: object, key?: Record<string, string>) => Promise<TellersAnswer>;

async function anAdmin({ orm, teller }: Lane): Promise<Press> {
  const authorization = `Bearer ${await anAdminToken(orm.em.fork())}`;
  return (method, path, body, key = {}) => teller.press(method, path, body, { authorization, ...key });
}

const life = ({ endpointId }: Endpoint) => `webhook-${endpointId}`;

async function addEndpoint(lane: Lane, press: Press, key = keyed()): Promise<Endpoint> {
  const path = `/${randomUUID()}`;
  const wish = { url: lane.webhooks.url + path, types };
  const { body } = await press('POST', endpoints, { endpoint: wish }, key);
  lane.webhooks.secrets.set(path, body.secret);
  return { endpointId: body.endpoint_id, path };
}

/** Its workflow reads that it is gone, and ends. */
const deleteEndpoint = (press: Press, { endpointId }: Endpoint) => press('DELETE', `${endpoints}/${endpointId}`);

const begin = ({ client, taskQueue }: Lane, endpoint: Endpoint) =>
  client.workflow
    .start('webhookWorkflow', { taskQueue, workflowId: life(endpoint), args: [{ endpointId: endpoint.endpointId }] })
    .catch(() => undefined);

/** Oldest first. */
const arrivedAt = ({ webhooks }: Lane, { path }: Endpoint): CaughtDelivery[] =>
  webhooks.caught.filter((one) => one.path === path).toReversed();

async function until(lane: Lane, endpoint: Endpoint, isSo: () => Promise<boolean>): Promise<void> {
  let againAt = Date.now() + begunAgainEveryMs;
  for (const end = Date.now() + longestWaitMs; Date.now() < end; await pause(100)) {
    if (await isSo()) return;
    if (Date.now() < againAt) continue;
    await begin(lane, endpoint);
    againAt = Date.now() + begunAgainEveryMs;
  }
  throw new Error(`endpoint ${endpoint.endpointId} did not come to that within ${longestWaitMs / 1000} s`);
}

const waitingAt = (lane: Lane, { endpointId }: Endpoint, also = '') =>
  countOf(lane, `from webhook_delivery where endpoint_id = ? and state = 'waiting' ${also}`, endpointId);
const deliveredAt = (lane: Lane, { endpointId }: Endpoint) =>
  countOf(lane, `from webhook_delivery where endpoint_id = ? and state = 'delivered'`, endpointId);

const untilDelivered = (lane: Lane, endpoint: Endpoint, many: number) =>
  until(
    lane,
    endpoint,
    async () => (await deliveredAt(lane, endpoint)) >= many && (await waitingAt(lane, endpoint)) === 0,
  );

/** Each event once or more, under one id, the first time in their order, and nothing else. */
function arrivalFaults(lane: Lane, endpoint: Endpoint, told: readonly Told[]): string[] {
  const taken = arrivedAt(lane, endpoint).filter(({ mood }) => mood === 'takes');
  return [
    ...unlessEqual(
      'the ids that arrived',
      [...new Set(taken.map(({ id }) => id))],
      told.map(({ id }) => id),
    ),
    ...unlessEqual(
      'all are signed',
      taken.every(({ isSigned }) => isSigned === true),
      true,
    ),
  ];
}

export const deliverSale: CrashFlow = {
  id: 'F44',
  isAlone: true,
  title: 'add an endpoint, sell and cancel, delete it',
  processes: ['api', 'worker'],
  async prepare(lane) {
    const [after, press, key] = [await placeNow(lane), await anAdmin(lane), keyed()];
    let endpoint: Endpoint = { endpointId: 0, path: '' };
    let told: Told[] = [];
    return {
      async go() {
        endpoint = await addEndpoint(lane, press, key);
        const orderId = await sellAndCancel(lane);
        await untilDelivered(lane, endpoint, 2);
        told = await feedOf(lane, { after, orderId });
        await deleteEndpoint(press, endpoint);
      },
      faults: async () => [
        ...unlessEqual(
          'what was told',
          told.map(({ type }) => type),
          ['order.placed', 'order.cancelled'],
        ),
        ...arrivalFaults(lane, endpoint, told),
        ...unlessEqual('endpoints left', await countOf(lane, 'from webhook_endpoint'), 0),
      ],
      workflows: () => [life(endpoint)],
    };
  },
};

export const pauseEndpoint: CrashFlow = {
  id: 'F45',
  isAlone: true,
  title: 'an endpoint fails for a day, is paused, is switched on',
  processes: ['api', 'worker'],
  async prepare(lane) {
    const press = await anAdmin(lane);
    const endpoint = await addEndpoint(lane, press);
    lane.webhooks.moods.set(endpoint.path, 'fails');
    await lane.orm.em
      .fork()
      .execute(
        `update webhook_endpoint set failures = 4, failing_since = now() - interval '25 hours' where endpoint_id = ?`,
        [endpoint.endpointId],
      );
    const after = await placeNow(lane);
    let told: Told[] = [];
    const path = `${endpoints}/${endpoint.endpointId}`;
    const isPaused = async () =>
      (await countOf(lane, `from webhook_endpoint where endpoint_id = ? and state = 'paused'`, endpoint.endpointId)) ===
      1;
    const switchingOn = keyed();
    return {
      async go() {
        const orderId = await sellAndCancel(lane);
        await until(lane, endpoint, isPaused);
        lane.webhooks.moods.delete(endpoint.path);
        await press('PUT', path, { endpoint: { is_on: true } }, switchingOn);
        await untilDelivered(lane, endpoint, 2);
        told = await feedOf(lane, { after, orderId });
        await deleteEndpoint(press, endpoint);
      },
      faults: async () => [
        ...arrivalFaults(lane, endpoint, told),
        ...unlessEqual(
          'pauses that were told',
          await countOf(
            lane,
            `from pos_event where type = 'endpoint.paused' and object_id = ?`,
            String(endpoint.endpointId),
          ),
          1,
        ),
      ],
      workflows: () => [life(endpoint)],
    };
  },
};

export const replayUnderNewSecret: CrashFlow = {
  id: 'F46',
  isAlone: true,
  title: 'give an endpoint a new secret, send events again',
  processes: ['api', 'worker'],
  async prepare(lane) {
    const [after, secretKey, replayKey, press] = [await placeNow(lane), keyed(), keyed(), await anAdmin(lane)];
    const endpoint = await addEndpoint(lane, press);
    const orderId = await sellAndCancel(lane);
    await untilDelivered(lane, endpoint, 2);
    const told = await feedOf(lane, { after, orderId });
    const before = arrivedAt(lane, endpoint).length;
    const answers: unknown[] = [];
    return {
      async go() {
        const path = `${endpoints}/${endpoint.endpointId}`;
        const { body } = await press('POST', `${path}/secret`, {}, secretKey);
        lane.webhooks.secrets.set(endpoint.path, body.secret);
        const range = { from: told[0]?.sequence, to: told.at(-1)?.sequence };
        answers.push((await press('POST', `${path}/replay`, range, replayKey)).body);
        await untilDelivered(lane, endpoint, 2);
        await deleteEndpoint(press, endpoint);
      },
      faults: async () => [
        ...unlessEqual('the answer', answers, [{ replayed: 2, last: told.at(-1)?.sequence }]),
        ...arrivalFaults(lane, endpoint, told),
        ...unlessEqual(
          'each came again',
          told.every(({ id }) =>
            arrivedAt(lane, endpoint)
              .slice(before)
              .some((one) => one.id === id),
          ),
          true,
        ),
      ],
      workflows: () => [life(endpoint)],
    };
  },
};

export const eventFlows = [sellAndReadFeed, deliverSale, pauseEndpoint, replayUnderNewSecret];
