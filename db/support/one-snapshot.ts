import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import { freshReads } from './fresh-reads.ts';

/**
 * Runs reads that must fit together, such as documents and what belongs to them: all of them see the database as it was
 * at the first. Within a transaction they see what the transaction sees. The entities belong to no unit of work: the end
 * of the transaction does not look for changes of them.
 */
export const inOneSnapshot = <Result>(
  em: EntityManager,
  read: (em: EntityManager) => Promise<Result>,
): Promise<Result> =>
  em.isInTransaction() && em.getContext(false) === em
    ? read(freshReads(em))
    : em.fork().transactional((tx) => read(freshReads(tx)), {
        isolationLevel: IsolationLevel.REPEATABLE_READ,
        readOnly: true,
      });
