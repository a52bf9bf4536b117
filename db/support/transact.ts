import { DeadlockException, type EntityManager } from '@mikro-orm/postgresql';
import { asWrite } from './connections/lanes.ts';
import { Crowded, passTurn, waitForTurn } from './connections/stand-in-line.ts';

/** Rivals are few and short; a third collision in a row is a fault worth seeing. */
const attempts = 3;

/** Entity managers whose transactions are parts of one that is under way. */
const parts = new WeakSet<EntityManager>();

/** So long somebody waits without a connection for a record that many want. */
const turnWithinMs = 3_000;

/**
 * One transaction on an entity manager of its own; run again when PostgreSQL ended it as a deadlock or a serialization
 * failure (40P01, 40001), so that no client ever sees one. Where others wait for the same record it waits without a
 * connection and begins anew. Of one that is `joined` it is a part: a savepoint.
 *
 * The work may run more than once: nothing outside the database is called from it.
 */
export async function transact<Result>(
  em: EntityManager,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  if (parts.has(em)) return em.fork({ keepTransactionContext: true }).transactional(work);
  const until = performance.now() + turnWithinMs;
  for (let attempt = 1, turn: string | undefined; ;) {
    try {
      return await once(em, work, turn);
    } catch (error) {
      if (error instanceof Crowded) await waitForTurn(em, (turn = error.key), Math.max(0, until - performance.now()));
      else if (error instanceof DeadlockException && attempt < attempts) attempt++;
      else throw error;
    }
  }
}

/** Whose turn it was lets the next one go, also where it did not come as far as the lock. */
async function once<Result>(
  em: EntityManager,
  work: (em: EntityManager) => Promise<Result>,
  turn: string | undefined,
): Promise<Result> {
  try {
    return await asWrite(() => em.fork().transactional(work));
  } finally {
    if (turn !== undefined) passTurn(em, turn);
  }
}

/**
 * An entity manager whose every `transact` joins this transaction, so that all of them are committed together or none.
 * A deadlock ends the whole: the outermost runs again. Nothing is in its memory at first.
 */
export function joined(tx: EntityManager): EntityManager {
  const em = tx.fork({ keepTransactionContext: true });
  parts.add(em);
  return em;
}
