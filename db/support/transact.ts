import { DeadlockException, type EntityManager } from '@mikro-orm/postgresql';

/** Rivals are few and short; a third collision in a row is a fault worth seeing. */
const attempts = 3;

/** Entity managers whose transactions are parts of one that is under way. */
const parts = new WeakSet<EntityManager>();

/**
 * One transaction on an entity manager of its own; run again when PostgreSQL ended it as a deadlock or a serialization
 * failure (40P01, 40001), so that no client ever sees one. Of one that is `joined` it is a part: a savepoint.
 *
 * The work may run more than once: nothing outside the database is called from it.
 */
export async function transact<Result>(
  em: EntityManager,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  if (parts.has(em)) return em.fork({ keepTransactionContext: true }).transactional(work);
  for (let attempt = 1; ; attempt++) {
    try {
      return await em.fork().transactional(work);
    } catch (error) {
      if (!(error instanceof DeadlockException) || attempt === attempts) throw error;
    }
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
