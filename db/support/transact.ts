import { DeadlockException, type EntityManager } from '@mikro-orm/postgresql';
import { asWrite } from './connections/lanes.ts';
import { QueueFull, admitNext, waitForTurn } from './connections/queue-for-record.ts';

/** Collisions are rare and short; a third one in a row is reported as a fault. */
export const attemptsAtDeadlock = 3;

/** Entity managers whose transactions are parts of a running one. */
const parts = new WeakSet<EntityManager>();

/** How long a caller waits without a connection for a record that many want. */
const turnWithinMs = 3_000;

/**
 * Callers that hold all connections while each waits for a second one wait in vain, and the inner one is kept alone.
 */
const secondConnection = 'A transaction within another one needs `joined`: it would take a second connection.';

/**
 * Runs one transaction on a separate entity manager. When PostgreSQL ends it with a deadlock or a serialization failure
 * (40P01, 40001), it runs again: no client sees one. Where others wait for the same record, it waits without a
 * connection and starts again. Within a `joined` entity manager it is a part of that transaction: a savepoint. Within
 * any other transaction it is a fault.
 *
 * The work may run more than once, so it calls nothing outside the database.
 */
export async function transact<Result>(
  em: EntityManager,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  if (parts.has(em)) return em.fork({ keepTransactionContext: true }).transactional(work);
  // The entity manager of the whole process says yes wherever a transaction called, and is none of its own.
  if (em.isInTransaction() && em.getContext(false) === em) throw new Error(secondConnection);
  const until = performance.now() + turnWithinMs;
  for (let attempt = 1, turn: string | undefined; ;) {
    try {
      return await once(em, work, turn);
    } catch (error) {
      if (error instanceof QueueFull) await waitForTurn(em, (turn = error.key), Math.max(0, until - performance.now()));
      else if (error instanceof DeadlockException && attempt < attemptsAtDeadlock) attempt++;
      else throw error;
    }
  }
}

/** Passes its turn on, even where it did not reach the lock. */
async function once<Result>(
  em: EntityManager,
  work: (em: EntityManager) => Promise<Result>,
  turn: string | undefined,
): Promise<Result> {
  try {
    return await asWrite(() => em.fork().transactional(work));
  } finally {
    if (turn !== undefined) admitNext(em, turn);
  }
}

/**
 * An entity manager whose every `transact` joins this transaction, so that all of them are committed together or not
 * at all. A deadlock ends the whole: the outermost runs again. It starts with an empty identity map.
 */
export function joined(tx: EntityManager): EntityManager {
  const em = tx.fork({ keepTransactionContext: true });
  parts.add(em);
  return em;
}
