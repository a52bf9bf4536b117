import type { Job, JobStore, OutboxOptions } from './outbox.ts';

/** Jobs in the browser's own database, which survives a closed tab and a crash. One name is one register. */
export async function openBrowserStore(name: string): Promise<JobStore> {
  const database = await opened(name);
  const within = <Made>(mode: IDBTransactionMode, work: (jobs: IDBObjectStore) => IDBRequest<Made>): Promise<Made> =>
    new Promise((resolve, reject) => {
      // Strict: it is on disk when it is answered.
      const transaction = database.transaction(storeName, mode, { durability: 'strict' });
      const request = work(transaction.objectStore(storeName));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser could not store it.'));
    });

  // Ask the browser not to clear it when space runs short.
  await navigator.storage?.persist?.().catch(() => false);
  return {
    read: () => within<Job[]>('readonly', (jobs) => jobs.getAll()),
    async add(given) {
      const seq = await within('readwrite', (jobs) => jobs.add(given));
      return { ...given, seq: Number(seq) };
    },
    async write(job) {
      await within('readwrite', (jobs) => jobs.put(job));
    },
    async remove(seq) {
      await within('readwrite', (jobs) => jobs.delete(seq));
    },
  };
}

/** For `alone` of the outbox: of several tabs one sends at a time. */
export const oneTabAtATime =
  (name: string): NonNullable<OutboxOptions['alone']> =>
  async (work) =>
    (await navigator.locks.request(`outbox-${name}`, async () => ({ made: await work() }))).made;

const storeName = 'jobs';

const opened = (name: string): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(storeName, { keyPath: 'seq', autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser opens no database.'));
    request.onblocked = () => reject(new Error('Another tab holds an older database.'));
  });
