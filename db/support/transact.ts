import { DeadlockException, type EntityManager } from '@mikro-orm/postgresql';

/** Rivals are few and short; a third collision in a row is a fault worth seeing. */
const attempts = 3;

/**
 * One transaction on an entity manager of its own; run again when PostgreSQL ended it as a deadlock or a serialization
 * failure (40P01, 40001), so that no client ever sees one.
 *
 * The work may run more than once: nothing outside the database is called from it.
 */
export async function transact<Result>(
  em: EntityManager,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await em.fork().transactional(work);
    } catch (error) {
      if (!(error instanceof DeadlockException) || attempt === attempts) throw error;
    }
  }
}
