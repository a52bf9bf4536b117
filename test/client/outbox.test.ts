import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openFileStore } from '../../client/file-store.ts';
import { memoryStore, type Job, type JobStore, type Step } from '../../client/jobs.ts';
import { createOutbox } from '../../client/outbox.ts';
import { valueOf } from '../../client/results.ts';
import { cash, stepsOfSale } from '../../client/sale.ts';
import { aCounter, aLongCart, atOnce, type Counter } from './a-counter.ts';
import { waitUntil } from '../support/wait-until.ts';

let counter: Counter;
const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
beforeAll(async () => {
  counter = await aCounter();
});
afterEach(() => {
  counter.line.plan([]);
  counter.line.up();
});
afterAll(async () => {
  await counter.close();
  rmSync(folder, { recursive: true, force: true });
});

let made = 0;
const ownFolder = () => join(folder, String(++made));
const aHold = (cartUuid: string, name = 'hold'): Step => ({
  ...{
    name,
    method: 'POST',
    path: '/V1/pos/held-carts',
    key: `${cartUuid}-${name}`,
    keeps: { cartId: 'held_cart_id' },
  },
  body: JSON.stringify({
    heldCart: {
      ...{ location_id: counter.place.locationId, terminal_id: counter.place.terminalId, cart_uuid: cartUuid },
      ...{ staff_id: counter.place.staffId, staff_name: 'Ada', cart_data: '{}', item_count: 1, currency_code: 'USD' },
    },
  }),
});
const aRefusedStep = (id: string): Step => ({
  ...{ name: 'refused', method: 'POST', path: '/V1/order/999999/ship', body: '{}', key: id, keeps: {} },
});
const outboxOf = (store: JobStore, more: object = {}) => createOutbox({ client: counter.clientFor(), store, ...more });
const since = (at: number) => counter.line.exchanges.slice(at);

describe.each([
  ['in memory', async () => memoryStore()],
  ['in a folder', async () => openFileStore(ownFolder())],
])('an outbox %s', (_where, open) => {
  test('sends what waited without a line, the oldest first, each job in its order', async () => {
    const outbox = outboxOf(await open());
    counter.line.down();
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    for (const id of ids) await outbox.put({ object: id, steps: [aHold(id, 'first'), aHold(id, 'second')] });
    expect(await outbox.send()).toMatchObject({ sent: 0, stopped: { kind: 'again', status: null } });
    counter.line.up();
    const before = counter.line.exchanges.length;
    expect(await outbox.send()).toEqual({ sent: 4, stopped: null });
    expect(since(before).map(({ key }) => key)).toEqual(ids.flatMap((id) => [`${id}-first`, `${id}-second`]));
    expect(await outbox.jobs()).toEqual([]);
  });

  test('puts a refused job aside with its answer; later jobs of its object wait, others go on', async () => {
    const store = await open();
    const told: string[] = [];
    const outbox = outboxOf(store, { onConflict: (job: { object: string }) => told.push(job.object) });
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const refused = await outbox.put({ object: one, steps: [aRefusedStep(one)] });
    await outbox.put({ object: one, steps: [aHold(one)] });
    await outbox.put({ object: other, steps: [aHold(other)] });
    expect(await outbox.send()).toEqual({ sent: 1, stopped: null });
    expect(await outbox.jobs()).toMatchObject([
      { object: one, conflict: { status: 404 } },
      { object: one, done: 0 },
    ]);
    expect(told).toEqual([one]);

    // Tried again by a person it is refused again; dropped, the next one goes.
    await outbox.again(refused.seq);
    expect(await outbox.send()).toMatchObject({ sent: 0 });
    await outbox.drop(refused.seq);
    expect(await outbox.send()).toEqual({ sent: 1, stopped: null });
    expect(await outbox.jobs()).toEqual([]);
  });

  test('hands what an answer told to the later steps, also to those of the next job of the object', async () => {
    const outbox = outboxOf(await open());
    const id = crypto.randomUUID();
    const remove: Step = {
      ...{ name: 'remove', method: 'DELETE', path: '/V1/pos/held-carts/{cartId}', body: null, key: '', keeps: {} },
    };
    await outbox.put({ object: id, steps: [aHold(id)] });
    await outbox.put({ object: id, steps: [remove] });
    expect(await outbox.send()).toEqual({ sent: 2, stopped: null });
    expect(await counter.books.howMany('pos_held_cart', { cart_uuid: id })).toBe(0);
  });
});

describe('a step that was carried out, and whose answer was not kept,', () => {
  const aLongHold = (id: string): Step => {
    const hold = aHold(id);
    return { ...hold, body: JSON.stringify(aLongCart(JSON.parse(hold.body!))) };
  };
  const aRemoval: Step = {
    ...{ name: 'remove', method: 'DELETE', path: '/V1/pos/held-carts/{cartId}', body: null, key: '', keeps: {} },
  };
  const loseAnAnswer = () => counter.line.plan([{ path: /held-carts$/, times: 1, fault: { kind: 'answer_lost' } }]);
  const carts = (id: string) => counter.books.find('pos_held_cart', { cart_uuid: id }, 'held_cart_id');

  test('is done, and told: it is not sent again, and the cashier hears that the record must be read', async () => {
    const told: string[] = [];
    const outbox = outboxOf(await openFileStore(ownFolder()), {
      onDone: ({ object }: { object: string }) => told.push(`done ${object}`),
      onUnread: (job: Job) => told.push(`unread ${job.object}: ${job.unread?.sentence}`),
      onConflict: (job: Job) => told.push(`refused ${job.object}`),
    });
    const id = crypto.randomUUID();
    loseAnAnswer();
    const end = await outbox.run({ object: id, steps: [aLongHold(id)] }, 60_000);
    expect(end).toMatchObject({ kind: 'answer_not_kept', outcome: 'idempotency_answer_not_kept' });
    expect(told).toEqual([`done ${id}`, expect.stringContaining(`unread ${id}: This request was carried out.`)]);
    expect(await outbox.jobs()).toEqual([]);
    expect(await carts(id)).toHaveLength(1);
  });

  test('holds a later step that needs the answer until somebody has read the record', async () => {
    const told: string[] = [];
    const store = await openFileStore(ownFolder());
    const outbox = outboxOf(store, { onUnread: ({ object }: Job) => told.push(object) });
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const { seq } = await outbox.put({ object: one, steps: [aLongHold(one), aRemoval] });
    await outbox.put({ object: one, steps: [aRemoval] });
    await outbox.put({ object: other, steps: [aHold(other)] });
    loseAnAnswer();
    expect(await outbox.send()).toMatchObject({ sent: 0, stopped: { kind: 'again', status: null } });
    const before = counter.line.exchanges.length;
    expect(await outbox.send()).toEqual({ sent: 2, stopped: null });
    expect(since(before).map(({ key }) => key)).toEqual([`${one}-hold`, `${other}-hold`]);
    expect(told).toEqual([one]);
    expect(await outbox.jobs()).toMatchObject([
      { object: one, done: 1, conflict: null, unread: { kind: 'answer_not_kept' } },
      { object: one, done: 0 },
    ]);

    const [cart] = await carts(one);
    await outbox.learn(seq, { cartId: Number(cart!['held_cart_id']) });
    // The second removal finds no cart: it was told the same number, and is refused.
    expect(await outbox.send()).toEqual({ sent: 1, stopped: null });
    expect(await outbox.jobs()).toMatchObject([{ object: one, conflict: { status: 404 } }]);
    expect(await carts(one)).toEqual([]);
  });

  test('holds the next job of its object, too, where that needs the answer', async () => {
    const outbox = outboxOf(memoryStore());
    const id = crypto.randomUUID();
    await outbox.put({ object: id, steps: [aLongHold(id)] });
    const { seq } = await outbox.put({ object: id, steps: [aRemoval] });
    loseAnAnswer();
    await outbox.send();
    expect(await outbox.send()).toEqual({ sent: 1, stopped: null });
    expect(await outbox.jobs()).toMatchObject([{ seq, done: 0, unread: { kind: 'answer_not_kept' } }]);
    const [cart] = await carts(id);
    await outbox.learn(seq, { cartId: Number(cart!['held_cart_id']) });
    expect(await outbox.send()).toEqual({ sent: 1, stopped: null });
    expect([await outbox.jobs(), await carts(id)]).toEqual([[], []]);
  });

  test('is done like any other where nobody needs its answer', async () => {
    const outbox = outboxOf(memoryStore());
    const id = crypto.randomUUID();
    loseAnAnswer();
    const steps = [{ ...aLongHold(id), keeps: {} }];
    expect(await outbox.run({ object: id, steps }, 60_000)).toEqual({ kind: 'done', kept: {} });
    expect(await carts(id)).toHaveLength(1);
  });
});

describe('the cashier', () => {
  test('hears within the time that a sale waits, and later that it is done', async () => {
    const done: string[] = [];
    const register = counter.registerFor({ patienceMs: 200, onDone: ({ object }) => done.push(object) });
    counter.line.down();
    const saleId = crypto.randomUUID();
    const sale = { saleId, lines: [counter.mug], payment: cash };
    expect(await register.sell(sale)).toEqual({ kind: 'waiting', because: expect.any(String) });
    counter.line.up();
    await waitUntil('the sale is done', async () => {
      await register.outbox.send();
      return done.length > 0;
    });
    expect(done).toEqual([saleId]);
    expect(await counter.books.howMany('sales_order', { pos_sale_id: saleId })).toBe(1);
  });

  test('hears a refusal, and nothing waits behind it, where no money and no goods moved', async () => {
    const outbox = outboxOf(memoryStore(), { onConflict: () => expect('nobody').toBe('asked') });
    const id = crypto.randomUUID();
    const asked = { object: id, steps: [aRefusedStep(id)], endsIfRefused: true };
    expect(await outbox.run(asked, 5_000)).toMatchObject({ kind: 'refused', status: 404 });
    expect(await outbox.jobs()).toEqual([]);
    expect(await outbox.run({ object: id, steps: [aHold(id)] }, 5_000)).toMatchObject({ kind: 'done' });
  });

  test('finds a refusal put aside where nobody waited for it', async () => {
    const outbox = outboxOf(memoryStore());
    const id = crypto.randomUUID();
    await outbox.put({ object: id, steps: [aRefusedStep(id)], endsIfRefused: true });
    await outbox.send();
    expect(await outbox.jobs()).toMatchObject([{ object: id, conflict: { status: 404 } }]);
  });

  test('behind a slow request hears that it is an earlier one that is being sent', async () => {
    const outbox = outboxOf(memoryStore());
    const [slow, next] = [crypto.randomUUID(), crypto.randomUUID()];
    counter.line.plan([{ path: /held-carts/, times: 1, fault: { kind: 'late', ms: 1_500 } }]);
    await outbox.put({ object: slow, steps: [aHold(slow)] });
    const sending = outbox.send();
    expect(await outbox.run({ object: next, steps: [aHold(next)] }, 300)).toEqual({
      kind: 'waiting',
      because: 'An earlier request is still being sent.',
    });
    await sending;
  });

  test('does not wait for a line that hangs', async () => {
    const register = counter.registerFor({ patienceMs: 100 });
    counter.line.plan([{ path: /receipts/, times: 1, fault: { kind: 'late', ms: 1_000 } }]);
    const made = await register.sell({ lines: [counter.mug], payment: cash });
    expect(made).toMatchObject({ kind: 'waiting' });
    expect(await register.outbox.jobs()).toHaveLength(1);
  });

  test('is told where the token is over; nothing is lost', async () => {
    const outbox = createOutbox({ client: counter.clientFor({ token: 'over' }), store: memoryStore() });
    const id = crypto.randomUUID();
    expect(await outbox.run({ object: id, steps: [aHold(id)] }, 5_000)).toMatchObject({ kind: 'signed_out' });
    expect(await outbox.jobs()).toHaveLength(1);
  });

  test('need not press again: what waits is sent as soon as there is a line', async () => {
    const stop = new AbortController();
    const sentAll = Promise.withResolvers<void>();
    const outbox = createOutbox({ client: counter.clientFor(), store: memoryStore(), onDone: () => sentAll.resolve() });
    counter.line.down();
    const sending = outbox.keepSending(stop.signal);
    const id = crypto.randomUUID();
    await outbox.put({ object: id, steps: [aHold(id)] });
    await atOnce();
    counter.line.up();
    await sentAll.promise;
    stop.abort();
    await sending;
    expect(await counter.books.howMany('pos_held_cart', { cart_uuid: id })).toBe(1);
  });

  test('sells on while one sale meets a fault of the service', async () => {
    const outbox = outboxOf(memoryStore());
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    await outbox.put({ object: one, steps: [aHold(one)] });
    await outbox.put({ object: other, steps: [aHold(other)] });
    counter.line.plan([{ path: /held-carts/, times: 1, fault: { kind: 'answered', status: 500 } }]);
    expect(await outbox.send()).toMatchObject({ sent: 1, stopped: { status: 500 } });
    expect(await outbox.jobs()).toMatchObject([{ object: one }]);
  });
});

describe('a folder of jobs', () => {
  test('goes on after a restart where it was, with the answers that came before it', async () => {
    const path = ownFolder();
    const { outbox } = counter.registerFor({ store: await openFileStore(path) });
    counter.line.plan([{ path: /\/ship$/, times: 1, fault: { kind: 'cut' } }]);
    const saleId = crypto.randomUUID();
    const steps = stepsOfSale(counter.place, { saleId, lines: [counter.mug], payment: cash });
    await outbox.put({ object: saleId, steps });
    expect(await outbox.send()).toMatchObject({ sent: 3, stopped: { kind: 'again' } });

    const again = counter.registerFor({ store: await openFileStore(path) });
    expect(await again.outbox.jobs()).toMatchObject([
      { object: saleId, done: 3, kept: { orderId: expect.any(Number) } },
    ]);
    const before = counter.line.exchanges.length;
    expect(await again.outbox.send()).toEqual({ sent: 1, stopped: null });
    expect(since(before)).toMatchObject([{ path: expect.stringMatching(/\/ship$/) }]);
    expect(readdirSync(path)).toEqual([]);
  });

  test('forgets what a power cut left half-written: it was never told to be stored', async () => {
    const path = ownFolder();
    await openFileStore(path);
    writeFileSync(join(path, 'half.part'), '{"seq":');
    expect(await (await openFileStore(path)).read()).toEqual([]);
    expect(readdirSync(path)).toEqual([]);
  });

  test('gives no place twice, also to two programs', async () => {
    const path = ownFolder();
    const stores = await Promise.all([openFileStore(path), openFileStore(path)]);
    const job = { object: 'a', steps: [], done: 0, kept: {}, conflict: null, doubt: null, unread: null };
    const jobs = await Promise.all(Array.from({ length: 20 }, (_, at) => stores[at % 2]!.add(job)));
    expect(new Set(jobs.map(({ seq }) => seq)).size).toBe(20);
  });
});

test('a job that the service knows already is done once: the queue was lost, the sale was not', async () => {
  const saleId = crypto.randomUUID();
  const sale = { saleId, lines: [counter.mug], payment: cash };
  const first = valueOf(await counter.registerFor().sell(sale));
  const again = valueOf(await counter.registerFor().sell(sale));
  expect(again).toEqual(first);
  expect(await counter.books.howMany('sales_shipment', { order_id: first.orderId })).toBe(1);
});
