import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readFeed } from '../../../db/events/feed.ts';
import { eventName } from '../../../domain/events.ts';
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

const { insert, change } = booksOf(() => flow.api.orm);

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

  test('one that fails for a day is paused, its run ends, and switched on it gets what waited', async () => {
    const { endpointId, path } = await anEndpoint({ types: ['order.placed'] });
    catcher.moods.set(path, 'fails');
    const day = { failures: 4, failing_since: new Date(Date.now() - 90_000_000) };
    await change('webhook_endpoint', { endpoint_id: endpointId }, day);
    const orderId = await aSale();
    expect(await flow.client.workflow.getHandle(`webhook-${endpointId}`).result()).toEqual({ delivered: 0, failed: 1 });
    await recordHistory(flow.client, `webhook-${endpointId}`, 'webhookWorkflow-paused');

    const { body: paused } = await call('GET', `${endpoints}/${endpointId}`);
    expect(paused).toMatchObject({ state: 'paused', waiting: 1 });
    catcher.moods.clear();
    await call('PUT', `${endpoints}/${endpointId}`, { endpoint: { is_on: true } });
    await waitUntil('it came', async () => caughtOf(orderId).some(({ mood }) => mood === 'takes'));
    await end(endpointId);
  });

  test('a new secret signs from the next event on, and an event that is sent again has the id it had', async () => {
    const { endpointId, path } = await anEndpoint({ types: ['order.placed'] });
    const first = await aSale();
    await waitUntil('it came', async () => caughtOf(first).length === 1);
    const { body } = await call('POST', `${endpoints}/${endpointId}/secret`);
    catcher.secrets.set(path, body.secret);
    const from = (caughtOf(first)[0]?.body as { sequence: number } | undefined)?.sequence;
    expect((await call('POST', `${endpoints}/${endpointId}/replay`, { from, to: from })).body.replayed).toBe(1);
    await waitUntil('it came again', async () => caughtOf(first).length === 2);

    const [again, before] = caughtOf(first);
    expect(again).toMatchObject({ id: before?.id, isSigned: true });
    await end(endpointId);
    await recordHistory(flow.client, `webhook-${endpointId}`, 'webhookWorkflow-replayed-under-new-secret');
  });

  test('a run with a long history goes on as a new one, and misses nothing', async () => {
    const { endpointId } = await anEndpoint({ types: ['order.placed'] });
    const handle = flow.client.workflow.getHandle(`webhook-${endpointId}`);
    const { runId } = await handle.describe();
    const now = async () => (await flow.client.workflow.getHandle(`webhook-${endpointId}`).describe()).runId;
    // Nobody handles it; it only makes the history longer.
    for (let at = 0; at < 200; at++) await handle.signal('longer');
    await waitUntil('a new run goes on', async () => (await now()) !== runId);
    const orderId = await aSale();
    await waitUntil('it came', async () => caughtOf(orderId).length === 1);

    await recordHistory(flow.client, `webhook-${endpointId}`, 'webhookWorkflow-continued', runId);
    await end(endpointId);
  });

  test('one that is deleted ends its run at once', async () => {
    const { endpointId } = await anEndpoint({ types: ['order.placed'] });
    await call('DELETE', `${endpoints}/${endpointId}`);
    expect(await flow.client.workflow.getHandle(`webhook-${endpointId}`).result()).toEqual({ delivered: 0, failed: 0 });
    await recordHistory(flow.client, `webhook-${endpointId}`, 'webhookWorkflow-deleted');
  });

  async function end(endpointId: number): Promise<void> {
    await call('PUT', `${endpoints}/${endpointId}`, { endpoint: { is_on: false } });
    await flow.client.workflow.getHandle(`webhook-${endpointId}`).result();
  }
});

describe('a day of trouble', () => {
  beforeAll(async () => {
    flow = await aFlow({ settings, startsWorker: false });
  });
  afterAll(() => flow.close());

  /** A larger drill is the same: `DRILL_EVENTS=10000 npm test -- test/workflows/events`. */
  const isLarge = process.env['DRILL_EVENTS'] !== undefined;
  const rounds = Math.ceil(Number(process.env['DRILL_EVENTS'] ?? 240) / 12);
  const all = rounds * 12;
  const skus = Array.from({ length: 12 }, (_, at) => `DRILL-${at}`);
  const good = Array.from({ length: isLarge ? 7 : 2 }, (_, at) => `good-${at}`);
  const bad = { dead: 'fails', closed: 'closes', hanging: 'slow' } as const;
  /** A receiver each: what one of them keeps is bounded. */
  const receivers = new Map<string, WebhookCatcher>();
  const ids = new Map<string, number>();
  afterAll(async () => {
    for (const receiver of receivers.values()) await receiver.stop();
  });

  const takenBy = (name: string) => receivers.get(name)?.caught.filter(({ mood }) => mood === 'takes') ?? [];
  const namesAt = (name: string) => new Set(takenBy(name).map(({ id }) => id));
  const hasAll = (name: string) => takenBy(name).length >= all && namesAt(name).size === all;
  const haveAll = (names: readonly string[]) => async () => names.every(hasAll);

  test('dead and hanging endpoints delay no other, and killed workers lose nothing: each gets what the feed has, in order per object', async () => {
    for (const sku of skus) await insert('inventory_source_item', { sku, source_code: 'floor', quantity: 1_000_000 });
    for (const name of [...good, ...Object.keys(bad)]) {
      const receiver = await startWebhookCatcher();
      receivers.set(name, receiver);
      const { body } = await call('POST', endpoints, { endpoint: { url: receiver.url, types: ['stock.moved'] } });
      receiver.secrets.set('*', body.secret);
      ids.set(name, body.endpoint_id);
    }
    for (const [name, mood] of Object.entries(bad)) receivers.get(name)?.moods.set('*', mood);
    const from: number = (await call('GET', '/V1/pos/events?wait=0')).body.next;
    let worker = await aWorkerProcess(flow, { env: settings });
    const began = performance.now();
    const sell = async () => {
      for (let round = 1; round <= rounds; round++)
        for (const sku of skus) await change('inventory_source_item', { sku }, { quantity: 1_000_000 - round });
    };
    const selling = sell();
    for (const share of isLarge ? [0.2, 0.5, 0.8] : [0.4]) {
      await waitUntil('some came', async () => namesAt('good-0').size >= all * share, 300_000);
      await worker.kill();
      worker = await aWorkerProcess(flow, { env: settings });
    }
    await selling;
    await waitUntil('all came to the good ones', haveAll(good), isLarge ? 900_000 : 200_000);
    const seconds = (performance.now() - began) / 1_000;

    // Well again, they get all that waited.
    for (const name of Object.keys(bad)) {
      receivers.get(name)?.moods.clear();
      for (const is_on of [false, true]) await call('PUT', `${endpoints}/${ids.get(name)}`, { endpoint: { is_on } });
    }
    const names = [...receivers.keys()];
    await waitUntil('all came to all', haveAll(names), isLarge ? 1_800_000 : 200_000);
    const secondsInAll = (performance.now() - began) / 1_000;
    await worker.kill();

    const told = await readFeed(flow.api.orm.em.fork(), { after: from, types: ['stock.moved'], limit: all + 1 });
    expect(told).toHaveLength(all);
    for (const name of names) {
      const seen = new Set<string>();
      const once = takenBy(name)
        .toReversed()
        .filter(({ id }) => !seen.has(id) && seen.add(id));
      expect(once.every(({ isSigned }) => isSigned)).toBe(true);
      expect([...seen].toSorted()).toEqual(told.map(({ eventId }) => eventName(eventId)).toSorted());
      for (const ofOne of Map.groupBy(once as unknown as Arrival[], ({ body }) => body.object.id).values())
        expect(ofOne.map(({ body }) => body.facts.quantity)).toEqual(
          Array.from({ length: rounds }, (_, round) => 1_000_000 - round - 1),
        );
    }
    const doubles = names.map((name) => takenBy(name).length - all);
    if (isLarge) console.log({ all, seconds, secondsInAll, doubles, perSecond: (all * good.length) / seconds });
  }, 3_600_000);

  interface Arrival {
    body: { object: { id: string }; facts: { quantity: number } };
  }
});
