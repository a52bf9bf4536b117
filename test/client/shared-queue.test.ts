import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openFileStore } from '../../client/file-store.ts';
import { memoryStore, type Job, type JobStore, type Step } from '../../client/jobs.ts';
import { createOutbox } from '../../client/outbox.ts';
import { valueOf } from '../../client/results.ts';
import { cash } from '../../client/sale.ts';
import { waitUntil } from '../support/wait-until.ts';
import { aCounter, type Counter } from './a-counter.ts';

let counter: Counter;
const folder = mkdtempSync(join(tmpdir(), 'shared-queue-'));
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
const newFolder = () => join(folder, String(++made));
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
const late = (path: RegExp, ms = 1_500) => counter.line.plan([{ path, times: 1, fault: { kind: 'late', ms } }]);
const outboxOf = (store: JobStore, more: object = {}) => createOutbox({ client: counter.clientFor(), store, ...more });
const carts = (id: string) => counter.books.howMany('pos_held_cart', { cart_uuid: id });

/** Two programs with one queue, as two tabs or two processes open it. */
const shared: readonly [string, () => Promise<[JobStore, JobStore]>][] = [
  [
    'in memory',
    async () => {
      const store = memoryStore();
      return [store, store];
    },
  ],
  [
    'in a folder',
    async () => {
      const path = newFolder();
      return [await openFileStore(path), await openFileStore(path)];
    },
  ],
];

describe.each(shared)('of two programs with one queue %s', (_where, open) => {
  test('the one that asked learns that its cash return is settled, and that a second one is refused', async () => {
    const [ofA, ofB] = await open();
    const conflicts: Job[] = [];
    const a = counter.registerFor({ store: ofA, patienceMs: 20_000 });
    const b = counter.registerFor({ store: ofB, patienceMs: 20_000, onConflict: (job) => conflicts.push(job) });
    const sale = { lines: [{ ...counter.mug, qty: 1 }], payment: cash };
    const { orderId, itemIds } = valueOf(await a.sell(sale));
    const back = { orderId, lines: itemIds.map((itemId) => ({ itemId, qty: 1 })), method: 'cash' as const };

    // The other program is in the middle of its pass, and sends the return behind its own sale.
    late(/receipts/);
    const [other, first] = await Promise.all([b.sell(sale), a.takeBack(back)]);
    expect([other.kind, valueOf(first)]).toEqual(['done', expect.objectContaining({ baseHandback: 54 })]);

    late(/receipts/);
    const [, second] = await Promise.all([b.sell(sale), a.takeBack(back)]);
    expect(second).toMatchObject({ kind: 'refused' });
    expect([await a.outbox.jobs(), await a.outbox.ends(), conflicts]).toEqual([[], [], []]);
    expect(await counter.books.howMany('sales_creditmemo', { order_id: orderId })).toBe(1);
  });

  test('the one whose cashier gave up waiting is called when the other one sent the sale', async () => {
    const [ofA, ofB] = await open();
    const told: string[] = [];
    const a = outboxOf(ofA, { onDone: ({ object }: Job) => told.push(`A ${object}`) });
    const b = outboxOf(ofB, { onDone: ({ object }: Job) => told.push(`B ${object}`) });
    const stop = new AbortController();
    const id = crypto.randomUUID();
    counter.line.down();
    expect(await a.run({ object: id, steps: [aHold(id)] }, 200)).toMatchObject({ kind: 'waiting' });
    counter.line.up();
    await b.send();
    expect(told).toEqual([`B ${id}`]);
    expect(await b.ends()).toMatchObject([{ object: id, by: a.program, end: { kind: 'done' } }]);

    const sending = a.keepSending(stop.signal);
    await waitUntil('A is called', async () => told.length > 1);
    stop.abort();
    await sending;
    expect(told).toEqual([`B ${id}`, `A ${id}`]);
    expect(await a.ends()).toEqual([]);
  });

  test('each is called about a refusal, and about what a person must read', async () => {
    const [ofA, ofB] = await open();
    const told: string[] = [];
    const a = outboxOf(ofA, { onConflict: ({ object }: Job) => told.push(`A ${object}`) });
    const b = outboxOf(ofB, { onConflict: ({ object }: Job) => told.push(`B ${object}`) });
    const id = crypto.randomUUID();
    await a.put({ object: id, steps: [aRefusedStep(id)] });
    await b.send();
    await a.send();
    await b.send();
    expect(told).toEqual([`B ${id}`, `A ${id}`]);
    // A person decides in the other program.
    const [job] = await a.jobs();
    await a.drop(job!.seq);
    expect([await b.jobs(), await b.ends()]).toEqual([[], []]);
  });

  test('the one that waits learns that a person removed its job in the other one', async () => {
    const [ofA, ofB] = await open();
    const [a, b] = [outboxOf(ofA, { alone: (work: () => unknown) => work() }), outboxOf(ofB)];
    const id = crypto.randomUUID();
    counter.line.down();
    const asked = a.run({ object: id, steps: [aHold(id)] }, 20_000);
    await waitUntil('it is stored', async () => (await b.jobs()).length > 0);
    await b.drop((await b.jobs())[0]!.seq);
    expect(await asked).toMatchObject({ kind: 'dropped', sentence: expect.any(String) });
    counter.line.up();
    await b.send();
    expect(await carts(id)).toBe(0);
  });

  test('one sends at a time, and nothing is sent twice', async () => {
    const [ofA, ofB] = await open();
    const [a, b] = [outboxOf(ofA), outboxOf(ofB)];
    const ids = Array.from({ length: 8 }, () => crypto.randomUUID());
    for (const [at, id] of ids.entries()) await (at % 2 ? a : b).put({ object: id, steps: [aHold(id)] });
    const before = counter.line.exchanges.length;
    await Promise.all([a.send(), b.send(), a.send(), b.send()]);
    expect(counter.line.exchanges.slice(before).map(({ key }) => key)).toEqual(ids.map((id) => `${id}-hold`));
    expect([await a.jobs(), await a.ends()]).toEqual([[], []]);
  });
});

describe('an end', () => {
  /** A program that puts a job and dies: another process, so that nothing of it is left. */
  const putAndDie = (path: string, id: string) => {
    const program = `
      const { createClient } = await import('./client/client.ts');
      const { createOutbox } = await import('./client/outbox.ts');
      const { openFileStore } = await import('./client/file-store.ts');
      const client = createClient({ url: 'http://127.0.0.1:9/rest', token: 'none' });
      const outbox = createOutbox({ client, store: await openFileStore(process.env.FOLDER), onDone: () => undefined });
      console.log(JSON.stringify(await outbox.run(JSON.parse(process.env.JOB), 100)));
      process.kill(process.pid, 'SIGKILL');`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      env: { ...process.env, FOLDER: path, JOB: JSON.stringify({ object: id, steps: [aHold(id)] }) },
    });
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'waiting' });
  };

  test('of a program that died is told to the next one that opens, once, whoever sent it', async () => {
    const path = newFolder();
    const id = crypto.randomUUID();
    putAndDie(path, id);
    // A worker in the background sends, and shows nothing to a cashier.
    await outboxOf(await openFileStore(path)).send();
    expect(await carts(id)).toBe(1);
    const opened = async () => {
      const told: string[] = [];
      await outboxOf(await openFileStore(path), { onDone: ({ object }: Job) => told.push(object) }).send();
      return told;
    };
    expect(await opened()).toEqual([id]);
    expect(await opened()).toEqual([]);
    expect(readdirSync(path)).toEqual([]);
  });

  test('that nobody was called about is listed until the program has read it', async () => {
    const store = await openFileStore(newFolder());
    const [a, b] = [outboxOf(store), outboxOf(store)];
    const id = crypto.randomUUID();
    counter.line.down();
    await a.run({ object: id, steps: [aHold(id)] }, 100);
    counter.line.up();
    await b.send();
    await a.send();
    const [end] = await a.ends();
    expect(end).toMatchObject({ object: id, end: { kind: 'done', kept: { cartId: expect.any(Number) } } });
    await a.read(end!.seq);
    expect(await b.ends()).toEqual([]);
  });

  test('whose listener throws is told again after the restart, and the queue continues', async () => {
    const path = newFolder();
    const faults: unknown[] = [];
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    const broken = outboxOf(await openFileStore(path), {
      onDone() {
        throw new Error('The screen is gone.');
      },
      onFault: (fault: unknown) => faults.push(fault),
    });
    for (const id of ids) await broken.put({ object: id, steps: [aHold(id)] });
    expect(await broken.send()).toEqual({ sent: 2, stopped: null });
    expect(faults).toHaveLength(2);
    expect((await broken.ends()).map(({ object }) => object)).toEqual(ids);
  });
});

describe('a folder in which something else lies', () => {
  test('sells on: what is no job is set aside with its bytes, and reported once', async () => {
    const path = newFolder();
    const store = await openFileStore(path);
    const reported: string[] = [];
    const outbox = outboxOf(store, {
      onDamaged: ({ name, because }: { name: string; because: string }) => reported.push(`${name}: ${because}`),
    });
    counter.line.down();
    const ids = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    for (const id of ids) await outbox.put({ object: id, steps: [aHold(id)] });
    const [first, , last] = readdirSync(path).toSorted();
    writeFileSync(join(path, first!), '');
    const half = readFileSync(join(path, last!), 'utf8').slice(0, 40);
    writeFileSync(join(path, last!), half);
    writeFileSync(join(path, 'settings.json'), '{"theme":"dark"}');
    writeFileSync(join(path, '000000000099.json'), '{"theme":"dark"}');
    counter.line.up();

    expect(await outbox.send()).toEqual({ sent: 1, stopped: null });
    await outbox.send();
    expect(reported.toSorted()).toEqual([
      '000000000001.damaged: The file is empty.',
      '000000000003.damaged: The file is not JSON.',
      '000000000099.damaged: `seq` is not a whole number.',
      'settings.json: It is a file of another program.',
    ]);
    expect(readFileSync(join(path, 'settings.json'), 'utf8')).toBe('{"theme":"dark"}');
    expect(readFileSync(join(path, '000000000003.damaged'), 'utf8')).toBe(half);
    expect(await outbox.damaged()).toHaveLength(4);
    // A new sale goes out, and takes the place of none of them.
    const id = crypto.randomUUID();
    expect((await outbox.put({ object: id, steps: [aHold(id)] })).seq).toBe(100);
    expect(await outbox.send()).toEqual({ sent: 1, stopped: null });
  });

  test('loses no half-written file of another process that is writing, and removes one of a process that is gone', async () => {
    const path = newFolder();
    await openFileStore(path);
    const alive = join(path, `${(await import('node:os')).hostname()}~${process.ppid}~x.part`);
    const dead = join(path, `${(await import('node:os')).hostname()}~4194305~x.part`);
    for (const file of [alive, dead]) writeFileSync(file, '{');
    await openFileStore(path);
    expect([existsSync(alive), existsSync(dead)]).toEqual([true, false]);
  });

  test('does not wait for a process that died while it sent', async () => {
    const path = newFolder();
    const outbox = outboxOf(await openFileStore(path));
    writeFileSync(join(path, 'sending.lock'), `${(await import('node:os')).hostname()}~4194305~x`);
    const id = crypto.randomUUID();
    await outbox.put({ object: id, steps: [aHold(id)] });
    expect(await outbox.send()).toEqual({ sent: 1, stopped: null });
    // A container that starts again has the same number.
    writeFileSync(join(path, 'sending.lock'), `${(await import('node:os')).hostname()}~${process.pid}~x`);
    expect(await outbox.send()).toEqual({ sent: 0, stopped: null });
    expect(readdirSync(path)).toEqual([]);
  });
});

describe('an answer of something other than the service', () => {
  const foreign = [
    [200, { status: 'ok' }],
    [200, { message: 'Log in to the Wi-Fi.', parameters: {} }],
    [403, { message: 'Forbidden' }],
    [404, { message: 'no such host' }],
    [401, { message: 'Sign in to the proxy.' }],
  ] as const;
  test.each(foreign)(
    'such as %i %j books and refuses nothing: its job is kept, the others go out',
    async (status, body) => {
      const reported: string[] = [];
      const done: string[] = [];
      const outbox = outboxOf(memoryStore(), {
        onForeign: ({ object }: Job, { because }: { because: string }) => reported.push(`${object} ${because}`),
        onDone: ({ object }: Job) => done.push(object),
      });
      const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
      await outbox.put({ object: one, steps: [aHold(one)] });
      await outbox.put({ object: other, steps: [aHold(other)] });
      counter.line.plan([{ path: /held-carts/, times: 1, fault: { kind: 'answered', status, body } }]);
      expect(await outbox.send()).toMatchObject({ sent: 1, stopped: { status, isForeign: true } });
      expect(reported).toEqual([expect.stringContaining(`${one} ${status}, and not from the service`)]);
      expect(await outbox.send()).toEqual({ sent: 1, stopped: null });
      expect([done, await carts(one), await carts(other)]).toEqual([[other, one], 1, 1]);
    },
  );

  test('is no answer to a plain call either', async () => {
    counter.line.plan([{ path: /config/, times: 2, fault: { kind: 'answered', status: 200, body: { portal: true } } }]);
    expect(await counter.clientFor().get('/V1/pos/config', {})).toMatchObject({
      kind: 'done',
      value: expect.any(String),
    });
  });
});

test('an answer without what the next request needs holds its job, and not the register', async () => {
  const unread: string[] = [];
  const outbox = outboxOf(memoryStore(), { onUnread: ({ object }: Job) => unread.push(object) });
  const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const remove: Step = {
    ...{ name: 'remove', method: 'DELETE', path: '/V1/pos/held-carts/{cartId}', body: null, key: '', keeps: {} },
  };
  const { seq } = await outbox.put({ object: one, steps: [{ ...aHold(one), keeps: {} }, remove] });
  await outbox.put({ object: one, steps: [aHold(one, 'later')] });
  await outbox.put({ object: other, steps: [aHold(other)] });
  expect(await outbox.send()).toEqual({ sent: 2, stopped: null });
  expect(unread).toEqual([one]);
  const cart = await counter.books.findOne('pos_held_cart', { cart_uuid: one }, 'held_cart_id');
  await outbox.learn(seq, { cartId: Number(cart['held_cart_id']) });
  await outbox.send();
  expect(await outbox.jobs()).toEqual([]);
});

test('a store that fails for a while ends no queue: it is reported, and the next pass sends', async () => {
  const store = memoryStore();
  let isBroken = true;
  const faults: unknown[] = [];
  const failing: JobStore = {
    ...store,
    read: async () => {
      if (isBroken) throw new Error('The disk is full.');
      return store.read();
    },
  };
  const outbox = outboxOf(failing, { onFault: (fault: unknown) => faults.push(fault) });
  const id = crypto.randomUUID();
  await outbox.put({ object: id, steps: [aHold(id)] });
  const stop = new AbortController();
  const sending = outbox.keepSending(stop.signal);
  await waitUntil('it is reported', async () => faults.length > 1);
  isBroken = false;
  await waitUntil('it is sent', async () => (await carts(id)) === 1);
  stop.abort();
  await sending;
});
