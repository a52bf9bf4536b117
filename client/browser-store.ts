import {
  damagedEntry,
  faultOfEnd,
  faultOfJob,
  withDefaults,
  type DamagedEntry,
  type EndedJob,
  type Job,
  type JobStore,
} from './jobs.ts';
import type { OutboxOptions } from './outbox.ts';

/**
 * Jobs in the browser's own database, which survives a closed tab and a crash. One name is one register: its tabs and
 * its service worker share the queue, and one at a time sends. Where the browser closes the database, the next call
 * opens it again.
 */
export async function openBrowserStore(name: string): Promise<JobStore> {
  const within = reopening(name);
  // Ask the browser not to clear it when space runs short.
  await navigator.storage?.persist?.().catch(() => false);
  await within('readonly', [jobsName], (stores) => stores[jobsName].count());

  const readAll = async <Entry extends Job>(of: StoreName, faultOf: (value: unknown) => string | undefined) => {
    const { keys, values } = await readStore(within, of);
    const entries: Entry[] = [];
    for (const [at, value] of values.entries()) {
      const because = faultOf(value);
      if (because === undefined) entries.push(withDefaults(value as Entry));
      else await setAside(within, of, keys[at], because, value);
    }
    return entries;
  };

  return {
    read: () => readAll<Job>(jobsName, faultOfJob),
    async add(given) {
      const seq = await within('readwrite', [jobsName], (stores) => stores[jobsName].add(given));
      return { ...given, seq: Number(seq) };
    },
    async write(job) {
      await within('readwrite', [jobsName], ({ jobs }) => {
        const found = jobs.getKey(job.seq);
        found.onsuccess = () => found.result !== undefined && jobs.put(job);
        return found;
      });
    },
    async remove(seq) {
      await within('readwrite', [jobsName], ({ jobs }) => jobs.delete(seq));
    },
    async end(job) {
      await within('readwrite', [jobsName, endsName], ({ jobs, ends }) => {
        jobs.delete(job.seq);
        return ends.put(job);
      });
    },
    ends: () => readAll<EndedJob>(endsName, faultOfEnd),
    async forgetEnd(seq) {
      await within('readwrite', [endsName], ({ ends }) => ends.delete(seq));
    },
    damaged: async () => (await readStore(within, damagedName)).values.map((value) => value as DamagedEntry),
    ...{ enter: () => enterProgram(name), isRunning: (program) => isRunning(name, program) },
    ...('locks' in navigator ? { alone: oneTabAtATime(name) } : {}),
  };
}

/** For `alone` of an outbox with a store of your own: of several tabs one sends at a time. */
export const oneTabAtATime =
  (name: string): NonNullable<OutboxOptions['alone']> =>
  async (work) =>
    (await navigator.locks.request(`outbox-${name}`, async () => ({ made: await work() }))).made;

const jobsName = 'jobs';
const endsName = 'ends';
const damagedName = 'damaged';
const storeNames = [jobsName, endsName, damagedName] as const;
type StoreName = (typeof storeNames)[number];

/** One transaction: it is on disk when it is answered. */
type Within = <Made>(
  mode: IDBTransactionMode,
  names: StoreName[],
  work: (stores: Record<StoreName, IDBObjectStore>) => IDBRequest<Made>,
) => Promise<Made>;

/** A browser closes a database when space runs short, when it is cleared, and under a tab that slept. */
function reopening(name: string): Within {
  let opening: Promise<IDBDatabase> | undefined;
  const database = () => {
    opening ??= opened(name, () => (opening = undefined)).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return async (mode, names, work) => {
    try {
      return await transact(await database(), mode, names, work);
    } catch (error) {
      if (!isClosed(error)) throw error;
      // A job that was stored twice is sent twice with the same keys, and done once.
      opening = undefined;
      return transact(await database(), mode, names, work);
    }
  };
}

const closedNames = ['InvalidStateError', 'AbortError', 'UnknownError', 'NotFoundError'];
const isClosed = (error: unknown) => error instanceof DOMException && closedNames.includes(error.name);

const transact = <Made>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  names: StoreName[],
  work: (stores: Record<StoreName, IDBObjectStore>) => IDBRequest<Made>,
): Promise<Made> =>
  new Promise((resolve, reject) => {
    const transaction = database.transaction(names, mode, { durability: 'strict' });
    const stores = Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)]));
    const request = work(stores as Record<StoreName, IDBObjectStore>);
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () =>
      reject(transaction.error ?? new DOMException('The browser closed the database.', 'AbortError'));
  });

async function readStore(within: Within, name: StoreName): Promise<{ keys: IDBValidKey[]; values: unknown[] }> {
  let values: IDBRequest<unknown[]> | undefined;
  const keys = await within('readonly', [name], (stores) => {
    values = stores[name].getAll();
    return stores[name].getAllKeys();
  });
  return { keys, values: values?.result ?? [] };
}

async function setAside(
  within: Within,
  from: StoreName,
  key: IDBValidKey | undefined,
  because: string,
  value: unknown,
): Promise<void> {
  if (key === undefined) return;
  const entry = { ...damagedEntry(`${from}/${JSON.stringify(key)}`, because, JSON.stringify(value) ?? ''), value };
  await within('readwrite', [from, damagedName], (stores) => {
    stores[from].delete(key);
    return stores[damagedName].put(entry);
  });
}

const opened = (name: string, closed: () => void): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 2);
    request.onupgradeneeded = () => {
      for (const store of storeNames)
        if (!request.result.objectStoreNames.contains(store))
          request.result.createObjectStore(store, {
            keyPath: store === damagedName ? 'name' : 'seq',
            autoIncrement: store === jobsName,
          });
    };
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = closed;
      database.onversionchange = () => {
        database.close();
        closed();
      };
      resolve(database);
    };
    request.onerror = () => reject(request.error ?? new Error('The browser opens no database.'));
    request.onblocked = () => reject(new Error('Another tab holds an older database.'));
  });

const lockOf = (name: string, program: string) => `outbox-${name}-program-${program}`;

/** The lock of a program is held for as long as its tab or worker is there. */
function enterProgram(name: string): string {
  const program = crypto.randomUUID();
  if ('locks' in navigator) void navigator.locks.request(lockOf(name, program), () => new Promise(() => undefined));
  return program;
}

async function isRunning(name: string, program: string): Promise<boolean> {
  if (!('locks' in navigator)) return true;
  const { held = [], pending = [] } = await navigator.locks.query();
  return [...held, ...pending].some((lock) => lock.name === lockOf(name, program));
}
