import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startWebhookCatcher, type WebhookCatcher } from '../../../local/simulators/app.ts';
import { booksOf } from '../../support/books.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { recordHistory } from '../../support/record-history.ts';
import { waitUntil } from '../../support/wait-until.ts';

let flow: Flow;
let catcher: WebhookCatcher;
beforeEach(async () => {
  catcher = await startWebhookCatcher();
});
afterEach(() => catcher.stop());

const settings = { POS_SECRET_KEY: secretKey, WEBHOOKS_TO_PRIVATE_NETWORKS: '1' };

const call = (method: string, path: string, body?: unknown) =>
  flow.api.call(method, path, { token: flow.api.tokens.admin, ...(body === undefined ? {} : { body }) });

const endpoints = '/V1/pos/events/endpoints';

async function anEndpoint(wish: object = {}): Promise<{ endpointId: number; path: string }> {
  const path = `/hook-${catcher.secrets.size}`;
  const { status, body } = await call('POST', endpoints, { endpoint: { url: catcher.url + path, ...wish } });
  expect(status).toBe(200);
  catcher.secrets.set(path, body.secret);
  return { endpointId: body.endpoint_id, path };
}

async function aSale(): Promise<number> {
  const { status, body } = await call('POST', '/V1/orders', { entity: aPostedSale({ customer_id: null }) });
  expect(status).toBe(200);
  return body.entity_id;
}

const caughtOf = (orderId: number) =>
  catcher.caught.filter(({ body }) => (body as { object: { id: string } }).object.id === String(orderId));

describe('a quiet day', () => {
  beforeAll(async () => {
    flow = await aFlow({ settings });
  });
  afterAll(() => flow.close());

  test('a sale is told to an endpoint, signed, with the order as its route answers it', async () => {
    const { endpointId } = await anEndpoint({ types: ['order.placed', 'order.cancelled'] });
    const orderId = await aSale();
    await waitUntil('it came', async () => caughtOf(orderId).length === 1);

    const [caught] = caughtOf(orderId);
    expect(caught).toMatchObject({ type: 'order.placed', isSigned: true });
    const { body: feed } = await call('GET', '/V1/pos/events?after=0&wait=0&types=order.placed');
    expect(caught?.body).toEqual(feed.events.at(-1));

    await call('PUT', `${endpoints}/${endpointId}`, { endpoint: { is_on: false } });
    const run = flow.client.workflow.getHandle(`webhook-${endpointId}`);
    expect(await run.result()).toEqual({ delivered: 1, failed: 0 });
    await recordHistory(flow.client, `webhook-${endpointId}`, 'webhookWorkflow-switched-off');
  });
});

describe('a day of trouble', () => {
  beforeAll(async () => {
    flow = await aFlow({ settings, startsWorker: false });
  });
  afterAll(() => flow.close());

  /** A larger drill is the same: `DRILL_EVENTS=10000 npm test -- test/workflows/events`. */
  const rounds = Math.ceil(Number(process.env['DRILL_EVENTS'] ?? 240) / 12);
  const skus = Array.from({ length: 12 }, (_, at) => `DRILL-${at}`);
  const moods = { '/dead': 'fails', '/closed': 'closes', '/hanging': 'slow' } as const;
  const { insert, change } = booksOf(() => flow.api.orm);

  const arrivedAt = (path: string) => catcher.caught.filter((one) => one.path === path && one.mood === 'takes');
  const namesOf = (path: string) => new Set(arrivedAt(path).map(({ id }) => id)).size;

  test('dead and hanging endpoints delay no other, and killed workers lose nothing: each gets all, in order per object', async () => {
    for (const sku of skus) await insert('inventory_source_item', { sku, source_code: 'floor', quantity: 1_000_000 });
    const good = ['/a', '/b', '/c'];
    for (const path of [...good, ...Object.keys(moods)]) {
      const url = catcher.url + path;
      expect((await call('POST', endpoints, { endpoint: { url, types: ['stock.moved'] } })).status).toBe(200);
    }
    for (const [path, mood] of Object.entries(moods)) catcher.moods.set(path, mood);
    let worker = await aWorkerProcess(flow, { env: settings });
    const began = performance.now();
    const sell = async () => {
      for (let round = 1; round <= rounds; round++)
        for (const sku of skus) await change('inventory_source_item', { sku }, { quantity: 1_000_000 - round });
    };
    const selling = sell();
    const all = rounds * skus.length;
    for (const share of process.env['DRILL_EVENTS'] ? [0.2, 0.5, 0.8] : [0.4]) {
      await waitUntil('some came', async () => namesOf('/a') >= all * share, 120_000);
      await worker.kill();
      worker = await aWorkerProcess(flow, { env: settings });
    }
    await selling;
    await waitUntil(
      'all came',
      async () => good.every((path) => namesOf(path) === all),
      process.env['DRILL_EVENTS'] ? 900_000 : 200_000,
    );
    const seconds = (performance.now() - began) / 1_000;
    await worker.kill();

    for (const path of good) {
      const arrived = arrivedAt(path).toReversed() as { id: string; body: Told }[];
      const seen = new Set<string>();
      const once = arrived.filter(({ id }) => !seen.has(id) && seen.add(id));
      expect(once).toHaveLength(all);
      for (const told of Map.groupBy(once, ({ body }) => body.object.id).values())
        expect(told.map(({ body }) => body.facts.quantity)).toEqual(
          Array.from({ length: rounds }, (_, round) => 1_000_000 - round - 1),
        );
    }
    const doubles = good.map((path) => arrivedAt(path).length - all);
    if (process.env['DRILL_EVENTS']) console.log({ events: all, seconds, doubles, perSecond: (all * 3) / seconds });
  }, 1_200_000);

  interface Told {
    object: { id: string };
    facts: { quantity: number };
  }
});
