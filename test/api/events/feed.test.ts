import { beforeAll, describe, expect, test } from '@jest/globals';
import { digestOf } from '../../../db/platform/access/token-digest.ts';
import { placeOrder } from '../../../db/platform/place-order.ts';
import { transact } from '../../../db/support/transact.ts';
import { givePlaces, readFeed, readFeedState } from '../../../db/events/feed.ts';
import { registerResources } from '../../../domain/platform/access.ts';
import type { ReportedEvent } from '../../../domain/events.ts';
import { booksOf } from '../../support/books.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { anOrder, aPostedOrder } from '../../support/builders/order.ts';
import { useApi } from '../../support/fixtures.ts';
import { atOnce } from '../../support/rivals.ts';
import { firstId } from '../../support/first-id.ts';

const api = useApi();
beforeAll(() => aShop(api.orm.em.fork()));

const { fork, change } = booksOf(() => api.orm);

const feed = (query: string, token = api.tokens.register) => api.call('GET', `/V1/pos/events?${query}`, { token });
const end = async (): Promise<number> => (await feed('wait=0')).body.next;
const aSale = async (): Promise<number> => {
  const { status, body } = await api.call('POST', '/V1/orders', {
    token: api.tokens.register,
    body: { entity: aPostedSale({ customer_id: null }) },
  });
  expect(status).toBe(200);
  return body.entity_id;
};

interface Shown {
  sequence: number;
  type: string;
  object: { id: string };
  data: { payment?: object; increment_id?: string } | null;
}
const typesOf = (events: Shown[]) => events.map(({ type }) => type);

describe('a page of the feed', () => {
  test('without a place it begins now, from 0 at the oldest event', async () => {
    const now = await end();
    expect(now).toBeGreaterThan(0);
    expect((await feed(`after=${now}&wait=0`)).body).toEqual({ events: [], next: now });
    const { body } = await feed('after=0&wait=0&limit=3');
    expect(body.events.map(({ sequence }: Shown) => sequence)).toEqual([firstId, firstId + 1, firstId + 2]);
    expect(body.next).toBe(firstId + 2);
  });

  test('an order is shown as its route answers it, without secrets and card data', async () => {
    const from = await end();
    const orderId = await aSale();
    const { body } = await feed(`after=${from}&wait=0&types=order.placed`);

    const [event] = body.events as Shown[];
    const route = await api.call('GET', `/V1/orders/${orderId}`, { token: api.tokens.register });
    expect(event).toMatchObject({ type: 'order.placed', version: 1, object: { kind: 'order', id: String(orderId) } });
    expect(event?.data?.increment_id).toBe(route.body.increment_id);
    expect(Object.keys(event?.data ?? {}).toSorted()).toEqual(
      Object.keys(route.body)
        .filter((key) => key !== 'protect_code')
        .toSorted(),
    );
    expect(JSON.stringify(event)).not.toMatch(/cc_last4|protect_code|additional_information/);
    expect(event).toHaveProperty('facts.grand_total', 108);
  });

  test('a product is shown by its id, also under the sku it has by now', async () => {
    const from = await end();
    const rename = (was: string, sku: string) =>
      api.call('PUT', `/V1/products/${was}`, { token: api.tokens.admin, body: { product: { sku, name: sku } } });
    expect((await rename('PLATE', 'PLATE')).status).toBe(200);
    await booksOf(() => api.orm).change('product', { sku: 'PLATE' }, { sku: 'DISH' });
    const { body } = await feed(`after=${from}&wait=0&types=product.changed`);
    expect(body.events).toMatchObject([
      { facts: { sku: 'PLATE' }, data: { sku: 'DISH' } },
      { facts: { sku: 'DISH' }, data: { sku: 'DISH' } },
    ]);
    await booksOf(() => api.orm).change('product', { sku: 'DISH' }, { sku: 'PLATE' });
  });

  test('a product is shown as in the view of the path, and a change of one view as in that view', async () => {
    const save = (view: string, name: string) =>
      api.call('PUT', `/rest/${view}/V1/products/MUG`, {
        ...{ token: api.tokens.admin, body: { product: { sku: 'MUG', name } } },
      });
    const from = await end();
    expect((await save('ca', 'Tasse')).status).toBe(200);
    const { body } = await feed(`after=${from}&wait=0&types=product.changed`);
    expect(body.events).toMatchObject([{ facts: { sku: 'MUG', change: 'changed', store_view: 'ca' } }]);
    const shownBy = async (store: string) =>
      (await api.call('GET', `/rest/${store}/V1/products/MUG`, { token: api.tokens.admin })).body;
    expect(body.events[0].data).toEqual(await shownBy('ca'));
    expect(body.events[0].data.name).toBe('Tasse');
    expect((await save('all', 'Mug of all')).status).toBe(200);
    const { body: next } = await feed(`after=${body.next}&wait=0&types=product.changed`);
    expect(next.events[0].facts).not.toHaveProperty('store_view');
    expect(next.events[0].data).toEqual(await shownBy('default'));
  });

  test('other types do not stop it, and do not come again', async () => {
    const from = await end();
    await aSale();
    const { body } = await feed(`after=${from}&wait=0&types=refund.uncertain`);
    expect(body.events).toEqual([]);
    expect(body.next).toBe(await end());
  });

  test('a type that is not there is refused, and so is one whose objects the caller may not read', async () => {
    expect((await feed('types=order.sung&wait=0')).status).toBe(400);
    const token = await api.tokenFor('Vendor_Pos::locations');
    expect((await feed('types=order.placed&wait=0', token)).status).toBe(401);
    await aSale();
    const { body } = await feed('after=0&wait=0&limit=200', token);
    expect(typesOf(body.events)).not.toContain('order.placed');
  });

  test('whoever asks for what is not kept any more is told where to go on', async () => {
    await aSale();
    await end();
    const { body: all } = await feed('after=0&wait=0&limit=200');
    const first = (all.events as Shown[])[0]?.sequence ?? 0;
    await booksOf(() => api.orm).write(`delete from pos_event where sequence <= ${first + 2}`);

    const { status, body } = await feed(`after=${first}&wait=0`);

    expect(status).toBe(410);
    expect(body.parameters).toEqual([String(first + 2)]);
    expect((await feed(`after=${first + 2}&wait=0`)).status).toBe(200);
    expect((await feed('after=0&wait=0')).status).toBe(200);
  });
});

describe('whoever waits', () => {
  test('hears of the next event when it comes, and only of the types asked for', async () => {
    const from = await end();
    const heard = feed(`after=${from}&types=order.placed&wait=20`);
    await api.call('PUT', '/V1/products/MUG', {
      token: api.tokens.admin,
      body: { product: { sku: 'MUG', name: 'Big mug' } },
    });
    const orderId = await aSale();

    expect((await heard).body.events).toMatchObject([{ type: 'order.placed', object: { id: String(orderId) } }]);
  });

  test('listens to server-sent events, and goes on after the last one that was heard', async () => {
    const from = await end();
    const orderId = await aSale();
    const first = await listen(from, 1);
    expect(first).toMatchObject([{ type: 'order.placed', object: { id: String(orderId) } }]);
    const next = await aSale();
    const [again] = await listen(0, 1, String(first[0]?.sequence));
    expect(again?.object.id).toBe(String(next));
  });

  test.each(['9223372036854775808', '-1', 'evt_7', '1.5'])(
    'is refused after the place %s, which no stream gave',
    async (id) => {
      const answer = await fetch(`${api.url}/rest/V1/pos/events`, {
        headers: { accept: 'text/event-stream', 'last-event-id': id, authorization: `Bearer ${api.tokens.admin}` },
      });
      expect([answer.status, await answer.json()]).toMatchObject([400, { parameters: { fieldName: 'Last-Event-ID' } }]);
    },
  );

  test('after the place of another reader gets only the types that its own token may read', async () => {
    const from = await end();
    await aSale();
    const product = { product: { sku: 'MUG', name: `Mug ${from}` } };
    await api.call('PUT', '/V1/products/MUG', { token: api.tokens.admin, body: product });
    const token = await api.tokenFor('Vendor_Pos::locations', 'Platform_Catalog::products');
    const response = await fetch(`${api.url}/rest/V1/pos/events`, {
      headers: { accept: 'text/event-stream', 'last-event-id': String(from), authorization: `Bearer ${token}` },
    });
    const reader = response.body!.getReader();
    let text = '';
    while (!text.includes('product.changed')) text += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    expect(text).not.toContain('order.');
    expect(text).not.toContain('customer');
  });

  test('ends within seconds after its token was revoked, though nothing happens', async () => {
    const token = await api.tokenFor(...registerResources);
    const response = await fetch(`${api.url}/rest/V1/pos/events?types=order.placed`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    });
    await change('access_token', { digest: digestOf(token) }, { revoked_at: new Date() });
    const revokedAt = performance.now();
    for await (const _chunk of response.body ?? []);
    expect(performance.now() - revokedAt).toBeLessThan(30_000);
  }, 60_000);

  test('is answered in JSON where no stream was asked for, whatever else is accepted', async () => {
    const { status } = await api.call('GET', '/V1/orders/1', {
      token: api.tokens.register,
      headers: { accept: 'text/event-stream' },
    });
    expect(status).toBe(406);
  });
});

/** So many events of one type from the stream. */
async function listen(after: number, many: number, lastId?: string): Promise<Shown[]> {
  const stop = new AbortController();
  const response = await fetch(`${api.url}/rest/V1/pos/events?after=${after}&types=order.placed`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${api.tokens.register}`,
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
    signal: stop.signal,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const heard: Shown[] = [];
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages)
      heard.push(...[...message.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Shown));
    if (heard.length >= many) break;
  }
  stop.abort();
  return heard;
}

describe('rivals', () => {
  const readAll = async (after: number) => readFeed(fork(), { after, types: [], limit: 10_000 });

  test('an event whose transaction commits late is not skipped, and delays no other', async () => {
    const from = await end();
    const { promise: isLate, open: commit } = gate();
    const { promise: isPlaced, open: placed } = gate();
    const late = transact(fork(), async (tx) => {
      const { orderId } = await placeOrder(tx, await aPostedOrder(fork()), { now: new Date() });
      placed();
      await isLate;
      return orderId;
    });
    await isPlaced;
    const early = await anOrder(fork());
    expect(await readFeedState(fork())).toMatchObject({
      openSeconds: expect.any(Number),
      withoutPlace: expect.any(Number),
    });
    await givePlaces(fork());
    const before = await readAll(from);
    commit();
    const lateId = await late;
    expect(await readFeedState(fork())).toMatchObject({ openSeconds: null });
    await givePlaces(fork());
    const after = await readAll(before.at(-1)?.sequence ?? from);

    expect(ordersIn(before)).toContain(early.orderId);
    expect(ordersIn(before)).not.toContain(lateId);
    expect(ordersIn(after)).toContain(lateId);
  });

  test('twelve readers beside sixteen registers each hear every event once, in the order of each object', async () => {
    const from = await end();
    let isOver = false;
    const reader = async () => {
      const heard: ReportedEvent[] = [];
      for (let after = from; ;) {
        const last = isOver;
        await givePlaces(fork());
        const page = await readFeed(fork(), { after, types: [], limit: 7 });
        heard.push(...page);
        after = page.at(-1)?.sequence ?? after;
        if (last && page.length === 0) return heard;
      }
    };
    const readers = atOnce(12, reader);
    const aMug = [{ sku: 'MUG', qty: 1, price: '50' }];
    await atOnce(16, async () => {
      for (let sale = 0; sale < 4; sale++) await anOrder(fork(), { lines: aMug });
    }).finally(() => (isOver = true));
    const all = await readers;

    const [first = []] = all;
    expect(ordersIn(first.filter(({ type }) => type === 'order.placed'))).toHaveLength(64);
    for (const heard of all)
      expect(heard.map(({ sequence }) => sequence)).toEqual(first.map(({ sequence }) => sequence));
    expect(new Set(first.map(({ eventId }) => eventId)).size).toBe(first.length);
    // All of them took from one shelf, so each begins where the one before ended.
    const shelf = first.filter(({ objectKind, objectId }) => objectKind === 'stock' && objectId === 'MUG');
    expect(shelf).toHaveLength(64);
    expect(shelf.slice(1).map(({ facts }) => facts['quantity_before'])).toEqual(
      shelf.slice(0, -1).map(({ facts }) => facts['quantity']),
    );
    for (const told of Map.groupBy(first, ({ objectKind, objectId }) => `${objectKind} ${objectId}`).values())
      expect(told.map(({ eventId }) => eventId)).toEqual(
        told.map(({ eventId }) => eventId).toSorted((one, other) => one - other),
      );
  });
});

const ordersIn = (events: readonly ReportedEvent[]) =>
  events.flatMap(({ objectKind, objectId }) => (objectKind === 'order' ? [Number(objectId)] : []));

function gate() {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open };
}
