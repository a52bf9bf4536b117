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

/** A failed read must not look like "nothing found": the whole request fails. */
export async function noting<Found>(request: ContentRequest, read: () => Promise<Found>): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    request.fault ??= error;
    throw error;
  }
}
