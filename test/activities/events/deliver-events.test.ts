import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createEventActivities } from '../../../activities/events.ts';
import { renderEvents } from '../../../api/event-objects.ts';
import { createEndpoint, findEndpoint, rotateSecret, updateEndpoint } from '../../../db/events/endpoints.ts';
import { givePlaces, readFeed, readFeedEnds } from '../../../db/events/feed.ts';
import {
  claimDeliveries,
  hasWork,
  planDeliveries,
  recordTry,
  replayDeliveries,
} from '../../../db/events/deliveries.ts';
import { pingEndpoint } from '../../../db/events/ping-endpoint.ts';
import { replaySince } from '../../../db/events/replay-since.ts';
import { joined } from '../../../db/support/transact.ts';
import { eventName, type EventType } from '../../../domain/events.ts';
import { verify } from '../../../books/verify/verify.ts';
import { startWebhookCatcher, type WebhookCatcher } from '../../../local/simulators/app.ts';
import { createWebhookSender } from '../../../providers/webhooks.ts';
import { booksOf } from '../../support/books.ts';
import { waiting } from '../../support/books/held.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { silent } from '../../support/fakes.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

const orm = useDatabase();
let catcher: WebhookCatcher;
beforeAll(() => aShop(orm.em.fork()));
beforeEach(async () => {
  catcher = await startWebhookCatcher();
});
afterEach(async () => {
  await write('delete from webhook_endpoint');
  await catcher.stop();
});

const books = booksOf(() => orm);
const { change, fork, find, write } = books;

/** A step is short, so a test that expects nothing more does not wait long for it. */
const activities = ({ render = renderEvents, timeoutMs = 10_000 } = {}) =>
  createEventActivities({
    orm,
    sender: createWebhookSender({ mayCallPrivate: true, timeoutMs }),
    box: secretBox,
    render: () => Promise.resolve(render),
    log: silent,
    stepMs: 1,
  });

const isOut = async (endpointId: number) => (await findEndpoint(fork(), endpointId)).waiting === 0;
/** Steps until nothing waits. */
async function deliverAll(endpointId: number): Promise<void> {
  const { deliverEvents } = activities();
  for (let step = 0; step < 200; step++) {
    await deliverEvents({ endpointId });
    if (await isOut(endpointId)) return;
  }
}

async function anEndpoint(types: EventType[] = ['order.placed']) {
  const made = await createEndpoint(fork(), { wish: { url: `${catcher.url}/hook`, types }, box: secretBox });
  catcher.secrets.set('/hook', made.secret);
  return made.endpointId;
}

const aSale = () => anOrder(fork(), { paid: false, shipped: false });
const soon = (endpointId: number) =>
  write(`update webhook_delivery set due_at = now() where endpoint_id = ${endpointId} and state = 'waiting'`);
const deliveriesOf = (endpointId: number) => find('webhook_delivery', { endpoint_id: endpointId }, 'state', 'tries');

describe('a delivery', () => {
  test('is made once, signed, and kept with its answer', async () => {
    const endpointId = await anEndpoint();
    const { orderId } = await aSale();
    await deliverAll(endpointId);
    await deliverAll(endpointId);

    expect(catcher.caught).toMatchObject([
      { type: 'order.placed', isSigned: true, body: { object: { id: String(orderId) } } },
    ]);
    expect(await deliveriesOf(endpointId)).toEqual([{ state: 'delivered', tries: 1 }]);
    expect(await find('webhook_attempt', { endpoint_id: endpointId }, 'status', 'answer', 'failure')).toEqual([
      { status: 204, answer: '', failure: null },
    ]);
  });

  test('eight workers at once send each event once', async () => {
    const endpointId = await anEndpoint();
    for (let sale = 0; sale < 20; sale++) await aSale();
    await eightAtOnce(() => deliverAll(endpointId));

    expect(catcher.caught).toHaveLength(20);
    expect(new Set(catcher.caught.map(({ id }) => id)).size).toBe(20);
  });

  test('eight workers at once send what moves again and again in its order, to the last of it', async () => {
    const endpointId = await anEndpoint(['stock.moved']);
    const { done, moving } = { done: { isSo: false }, moving: 60 };
    const workers = eightAtOnce(async () => {
      while (!done.isSo) await activities().deliverEvents({ endpointId });
    });
    for (let left = moving; left > 0; left--)
      await change('inventory_source_item', { sku: 'PLATE', source_code: 'floor' }, { quantity: left });
    done.isSo = true;
    await workers;
    await deliverAll(endpointId);

    const heard = catcher.caught.map(({ body }) => (body as { facts: { quantity: number } }).facts.quantity);
    expect(heard.toReversed()).toEqual(Array.from({ length: moving }, (_, at) => moving - at));
    expect(await brokenRules()).toEqual([]);
  });

  test('of one object each event waits for the one before, also where that one fails', async () => {
    const endpointId = await anEndpoint(['order.placed', 'order.paid']);
    catcher.moods.set('/hook', 'fails');
    const { orderId } = await anOrder(fork(), { shipped: false });
    await activities().deliverEvents({ endpointId });
    expect(catcher.caught.map(({ type }) => type)).toEqual(['order.placed']);
    catcher.moods.clear();
    await soon(endpointId);
    await deliverAll(endpointId);

    expect(catcher.caught.toReversed().map(({ type }) => type)).toEqual(['order.placed', 'order.placed', 'order.paid']);
    expect(catcher.caught.every(({ body }) => (body as { object: { id: string } }).object.id === String(orderId))).toBe(
      true,
    );
    expect(new Set(catcher.caught.map(({ id }) => id)).size).toBe(2);
  });

  test('that is recorded while the next one of its object is being planned lets that one follow', async () => {
    const endpointId = await anEndpoint(['stock.moved']);
    const moveTo = async (quantity: number) => {
      await change('inventory_source_item', { sku: 'PLATE', source_code: 'floor' }, { quantity });
      await givePlaces(fork());
    };
    await moveTo(81);
    await planDeliveries(fork(), endpointId);
    const [first] = await claimDeliveries(fork(), { endpointId, limit: 1 });
    await moveTo(82);
    const taken = { isTaken: true, status: 204, tookMs: 1, failure: null, answer: null };
    let isRecorded = false;
    let recording: Promise<void> | undefined;
    await fork().transactional(async (planner) => {
      // It sees that the first one waits, so the second one is not the next; its commit is still to come.
      await planDeliveries(joined(planner), endpointId);
      recording = recordTry(fork(), { ...first!, endpointId, ...taken }).then(() => void (isRecorded = true));
      await waitUntil('the record waits for the plan', async () => isRecorded || (await waiting(books)) > 0);
      expect(isRecorded).toBe(false);
    });
    await recording;

    await deliverAll(endpointId);
    expect(catcher.caught).toMatchObject([{ body: { facts: { quantity: 82 } } }]);
    expect(await brokenRules()).toEqual([]);
  });

  test.each([
    ['fails', 500, null],
    ['moved', 302, 'a redirect, which is not followed'],
    ['gone', 404, null],
    ['slow', null, 'no whole answer in time'],
    ['closes', null, 'the connection broke off (ECONNRESET)'],
  ] as const)('to an endpoint that %s is tried again later', async (mood, status, failure) => {
    const endpointId = await anEndpoint();
    catcher.moods.set('/hook', mood);
    await aSale();
    await activities(mood === 'slow' ? { timeoutMs: 300 } : {}).deliverEvents({ endpointId });

    expect(catcher.caught).toHaveLength(1);
    expect(await deliveriesOf(endpointId)).toEqual([{ state: 'waiting', tries: 1 }]);
    expect(await find('webhook_attempt', { endpoint_id: endpointId }, 'status', 'failure')).toEqual([
      { status, failure },
    ]);
  });

  test('is given up after three days, and the next event of its object follows', async () => {
    const endpointId = await anEndpoint(['order.placed', 'order.paid']);
    catcher.moods.set('/hook', 'fails');
    await anOrder(fork(), { shipped: false });
    await activities().deliverEvents({ endpointId });
    await write(
      `update webhook_delivery set first_tried_at = now() - interval '73 hours', due_at = now() where tries > 0`,
    );
    await activities().deliverEvents({ endpointId });
    catcher.moods.clear();
    await deliverAll(endpointId);

    expect(await deliveriesOf(endpointId)).toEqual([
      { state: 'given_up', tries: 2 },
      { state: 'delivered', tries: 1 },
    ]);
  });

  test('whose object cannot be shown keeps no other back, and is tried again', async () => {
    const endpointId = await anEndpoint();
    const [bad, good] = [await aSale(), await aSale()];
    const render: typeof renderEvents = (em, events) =>
      events.some(({ objectId }) => objectId === String(bad.orderId))
        ? Promise.reject(new Error('its line is broken'))
        : renderEvents(em, events);
    await activities({ render }).deliverEvents({ endpointId });
    await activities({ render }).deliverEvents({ endpointId });

    expect(catcher.caught).toMatchObject([{ body: { object: { id: String(good.orderId) } } }]);
    expect(await find('webhook_attempt', { failure: 'not sent: its object cannot be shown' }, 'status')).toHaveLength(
      1,
    );
    await soon(endpointId);
    await deliverAll(endpointId);
    expect(catcher.caught[0]).toMatchObject({ body: { object: { id: String(bad.orderId) } } });
  });

  test('behind one of its object that is tried again later is no work', async () => {
    const endpointId = await anEndpoint(['order.placed', 'order.paid']);
    catcher.moods.set('/hook', 'fails');
    await anOrder(fork(), { shipped: false });
    await activities().deliverEvents({ endpointId });
    expect(await findEndpoint(fork(), endpointId)).toMatchObject({ waiting: 2 });
    expect(await hasWork(fork(), endpointId)).toBe(false);
    await soon(endpointId);
    expect(await hasWork(fork(), endpointId)).toBe(true);
  });

  test('that a worker died over is sent again under the same id, once its lease is over', async () => {
    const endpointId = await anEndpoint();
    await aSale();
    catcher.moods.set('/hook', 'closes');
    // As after a kill between the claim and the record of the try.
    await activities().deliverEvents({ endpointId });
    await write('delete from webhook_attempt');
    await write(`update webhook_delivery set due_at = now() + interval '30 seconds' where state = 'waiting'`);
    catcher.moods.clear();
    await activities().deliverEvents({ endpointId });
    expect(catcher.caught).toHaveLength(1);
    await soon(endpointId);
    await deliverAll(endpointId);

    const [again, first] = catcher.caught;
    expect(again?.id).toBe(first?.id);
  });
});

describe('an endpoint', () => {
  test('that fails whatever it is sent is left alone, then asked with one; well again, it gets all that waits', async () => {
    const endpointId = await anEndpoint();
    catcher.moods.set('/hook', 'fails');
    for (let sale = 0; sale < 12; sale++) await aSale();
    await activities().deliverEvents({ endpointId });
    await activities().deliverEvents({ endpointId });
    expect(catcher.caught).toHaveLength(8);
    await activities().deliverEvents({ endpointId });
    expect(catcher.caught).toHaveLength(8);

    await write(`update webhook_endpoint set held_until = now()`);
    await activities().deliverEvents({ endpointId });
    expect(catcher.caught).toHaveLength(9);
    catcher.moods.clear();
    await write(`update webhook_delivery set due_at = now() + interval '2 hours' where tries > 0`);
    await write(`update webhook_endpoint set held_until = now()`);
    await deliverAll(endpointId);
    expect(await isOut(endpointId)).toBe(true);
  });

  test('that took nothing for a day is paused, which the others are told; switched on, it goes on', async () => {
    const endpointId = await anEndpoint();
    const other = await createEndpoint(fork(), { wish: { url: `${catcher.url}/other` }, box: secretBox });
    catcher.moods.set('/hook', 'fails');
    for (let sale = 0; sale < 8; sale++) await aSale();
    await activities().deliverEvents({ endpointId });
    await write(
      `update webhook_endpoint set failing_since = now() - interval '25 hours' where endpoint_id = ${endpointId}`,
    );
    await activities().deliverEvents({ endpointId });
    expect(await findEndpoint(fork(), endpointId)).toMatchObject({ state: 'paused', waiting: 8 });
    expect(await activities().deliverEvents({ endpointId })).toMatchObject({ isOn: false });

    await deliverAll(other.endpointId);
    expect(catcher.caught.filter(({ type }) => type === 'endpoint.paused')).toMatchObject([
      { path: '/other', body: { object: { kind: 'endpoint', id: String(endpointId) } } },
    ]);
    catcher.moods.clear();
    await updateEndpoint(fork(), endpointId, { isOn: true });
    await deliverAll(endpointId);
    expect(await isOut(endpointId)).toBe(true);
  });

  test('that is off collects its events', async () => {
    const endpointId = await anEndpoint();
    await updateEndpoint(fork(), endpointId, { isOn: false });
    await aSale();
    expect(await activities().deliverEvents({ endpointId })).toEqual({ isOn: false, delivered: 0, failed: 0 });
    await updateEndpoint(fork(), endpointId, { isOn: true });
    await deliverAll(endpointId);
    expect(catcher.caught).toHaveLength(1);
  });

  test('hears both secrets for a day after a rotation, then only the new one', async () => {
    const endpointId = await anEndpoint();
    const { secret } = await rotateSecret(fork(), { endpointId, box: secretBox });
    await aSale();
    await deliverAll(endpointId);
    catcher.secrets.set('/hook', secret);
    await aSale();
    await deliverAll(endpointId);
    expect(catcher.caught.map(({ isSigned }) => isSigned)).toEqual([true, true]);

    const former = (await rotateSecret(fork(), { endpointId, box: secretBox })) && secret;
    await write(`update webhook_endpoint set former_until = now()`);
    catcher.secrets.set('/hook', former);
    await aSale();
    await deliverAll(endpointId);
    expect(catcher.caught[0]?.isSigned).toBe(false);
  });

  test('that rotates again within the day leaves every former secret its day', async () => {
    const endpointId = await anEndpoint();
    const first = catcher.secrets.get('/hook') ?? '';
    const { secret: second } = await rotateSecret(fork(), { endpointId, box: secretBox });
    const { secret: third } = await rotateSecret(fork(), { endpointId, box: secretBox });
    for (const secret of [first, second, third]) {
      catcher.secrets.set('/hook', secret);
      await aSale();
      await deliverAll(endpointId);
      expect(catcher.caught[0]?.isSigned).toBe(true);
    }
    await write(`update webhook_older_secret set signs_until = now()`);
    catcher.secrets.set('/hook', first);
    await aSale();
    await deliverAll(endpointId);
    expect(catcher.caught[0]?.isSigned).toBe(false);
    const rivals = await eightAtOnce(() =>
      rotateSecret(fork(), { endpointId, box: secretBox }).then(
        () => 'new',
        (error: { status: number }) => error.status,
      ),
    );
    expect(rivals.filter((one) => one === 'new')).toHaveLength(7);
    expect(rivals.filter((one) => one === 400)).toHaveLength(1);
  });

  const failedWith = async (status: number, retryAfterSeconds?: number) => {
    const endpointId = await anEndpoint();
    await aSale();
    await givePlaces(fork());
    await planDeliveries(fork(), endpointId);
    const [claimed] = await claimDeliveries(fork(), { endpointId, limit: 1 });
    const tried = { deliveryId: claimed!.deliveryId, endpointId, tries: 1, isTaken: false, status, tookMs: 1 };
    await recordTry(fork(), { ...tried, failure: null, answer: null, retryAfterSeconds });
    const [{ seconds } = { seconds: 0 }] = await fork().execute<{ seconds: number }[]>(
      `select extract(epoch from due_at - now())::int as seconds from webhook_delivery where endpoint_id = ${endpointId}`,
    );
    return { seconds, endpoint: await findEndpoint(fork(), endpointId), endpointId };
  };

  test.each([
    [429, 40, 40, true],
    [503, 120, 120, true],
    [500, 40, 40, false],
    [429, 1, 5, true],
    [429, 10 * 86_400, 86_400, true],
    [429, undefined, 5, false],
  ])('that answers %s and Retry-After %s is asked again after %s s; held: %s', async (status, asked, waits, isHeld) => {
    const { seconds, endpoint } = await failedWith(status, asked);
    expect(Math.abs(seconds - waits)).toBeLessThanOrEqual(1);
    expect(endpoint.heldUntil !== null).toBe(isHeld);
    expect(endpoint.state).toBe('on');
  });

  test('that answers 410 is paused, keeps what waits, and the others are told once', async () => {
    const other = await createEndpoint(fork(), {
      ...{ wish: { url: `${catcher.url}/other`, types: ['endpoint.paused'] }, box: secretBox },
    });
    const { endpoint, endpointId } = await failedWith(410);
    expect(endpoint).toMatchObject({ state: 'paused', pausedFor: 'It answered 410: nothing is there any more.' });
    expect(endpoint.waiting).toBe(1);
    expect(await activities().deliverEvents({ endpointId })).toMatchObject({ isOn: false });
    await deliverAll(other.endpointId);
    expect(catcher.caught.filter(({ path }) => path === '/other')).toHaveLength(1);
    await updateEndpoint(fork(), endpointId, { isOn: true });
    await deliverAll(endpointId);
    expect(await isOut(endpointId)).toBe(true);
  });

  test('gets a test message whatever types it wants, and no other endpoint gets it', async () => {
    const endpointId = await anEndpoint(['order.placed']);
    const all = await createEndpoint(fork(), { wish: { url: `${catcher.url}/all` }, box: secretBox });
    const eventId = await pingEndpoint(fork(), endpointId);
    await deliverAll(endpointId);
    await deliverAll(all.endpointId);
    expect(catcher.caught.map(({ path, type, id }) => ({ path, type, id }))).toEqual([
      { path: '/hook', type: 'endpoint.ping', id: eventName(eventId) },
    ]);
  });

  test('gets all events since a moment again by one call', async () => {
    const endpointId = await anEndpoint();
    await aSale();
    await deliverAll(endpointId);
    await write(`update pos_event set occurred_at = occurred_at - interval '2 hours'`);
    await aSale();
    await aSale();
    await deliverAll(endpointId);
    const since = new Date(Date.now() - 3_600_000);
    for (let run = 0; run < 2; run++)
      expect(await replaySince(fork(), { endpointId, since })).toMatchObject({ replayed: 2, isWhole: true });
    await deliverAll(endpointId);
    const ids = catcher.caught.map(({ id }) => id);
    // The newest is first: two that came again, and three that came once.
    expect(ids).toEqual([ids[0], ids[1], ids[0], ids[1], ids[4]]);
    expect(new Set(ids).size).toBe(3);
    expect(await replaySince(fork(), { endpointId, since: new Date(Date.now() + 60_000) })).toEqual({
      ...{ replayed: 0, last: 0, isWhole: true },
    });
  });

  test('gets a range again, under the same ids', async () => {
    const endpointId = await anEndpoint();
    await aSale();
    await aSale();
    await deliverAll(endpointId);
    const { newest } = await readFeedEnds(fork());

    const again = await replayDeliveries(fork(), { endpointId, from: 1, to: newest, limit: 100 });
    expect(again.replayed).toBeGreaterThanOrEqual(2);
    const { limit, last } = { limit: 1, last: again.last - 1 };
    expect(await replayDeliveries(fork(), { endpointId, from: again.last, to: newest, limit })).toEqual({
      ...{ replayed: 1, last: last + 1 },
    });
    await deliverAll(endpointId);
    const ids = catcher.caught.map(({ id }) => id);
    expect(ids.slice(-2).every((id) => ids.filter((other) => other === id).length === 2)).toBe(true);
  });

  test('gets an older event of an object again before one that waits, each as often as it was asked for', async () => {
    const endpointId = await anEndpoint(['order.placed', 'order.paid']);
    const { orderId } = await anOrder(fork(), { paid: false, shipped: false });
    await deliverAll(endpointId);
    catcher.moods.set('/hook', 'fails');
    await write(`update sales_order set total_paid = grand_total where entity_id = ${orderId}`);
    await activities().deliverEvents({ endpointId });
    const { newest } = await readFeedEnds(fork());
    await replayDeliveries(fork(), { endpointId, from: 1, to: newest, limit: 100 });
    catcher.moods.clear();
    catcher.caught.length = 0;
    await deliverAll(endpointId);

    const ofOrder = catcher.caught.filter(({ body }) => (body as Body).object.id === String(orderId)).toReversed();
    expect(ofOrder.map(({ type }) => type)).toEqual(['order.placed', 'order.paid']);
    expect(await brokenRules()).toEqual([]);
  });

  test('added in the middle of a burst gets all that happens from then on, once and in order', async () => {
    let isAdded = false;
    const after: number[] = [];
    const selling = atOnce(8, async () => {
      for (let sale = 0; sale < 5; sale++) {
        const isSure = isAdded;
        const { orderId } = await aSale();
        if (isSure) after.push(orderId);
      }
    });
    const endpointId = await anEndpoint();
    isAdded = true;
    await selling;
    const late = await aSale();
    await deliverAll(endpointId);

    const heard = catcher.caught.map(({ body }) => Number((body as Body).object.id));
    expect(new Set(heard).size).toBe(heard.length);
    expect(heard).toEqual(expect.arrayContaining([...after, late.orderId]));
    const { newest } = await readFeedEnds(fork());
    const told = await readFeed(fork(), {
      after: newest - 500 < 0 ? 0 : newest - 500,
      types: ['order.placed'],
      limit: 500,
    });
    const names = told.map(({ eventId }) => eventName(eventId));
    const first = names.indexOf(catcher.caught.map(({ id }) => id).toSorted(byPlace(names))[0] ?? '');
    expect(catcher.caught.map(({ id }) => id).toSorted(byPlace(names))).toEqual(names.slice(first));
  });

  test('that is a chat gets one sentence, without a signature', async () => {
    const { endpointId } = await createEndpoint(fork(), {
      wish: { url: `${catcher.url}/chat`, types: ['order.placed'], format: 'slack' },
      box: secretBox,
    });
    const { incrementId } = await aSale();
    await deliverAll(endpointId);
    expect(catcher.caught).toMatchObject([
      { isSigned: null, body: { text: `Order ${incrementId} was placed: 108 USD.` } },
    ]);
  });
});

interface Body {
  object: { id: string };
}

const byPlace = (names: readonly string[]) => (one: string, other: string) => names.indexOf(one) - names.indexOf(other);

const brokenRules = async () => (await verify(fork())).filter(({ id }) => id === 'E-06');
