import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Reads of the database as it is, in the caller's transaction: no entity that an earlier read of the request loaded is
 * answered again, because a workflow may have changed its row since. It also reads for the EntityManager of the
 * process, which has no identity map.
 */
export const freshReads = (em: EntityManager): EntityManager => em.fork({ keepTransactionContext: true });
