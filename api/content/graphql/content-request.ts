import type { EntityManager } from '@mikro-orm/postgresql';

/** State that the queries of one request share. */
export type ContentRequest = {
  em: EntityManager;
  storeId: number;
  /** How many characters may still be answered. */
  lettersLeft: number;
  /** The first error: then there is no answer instead of a partial one. */
  fault?: unknown;
};
