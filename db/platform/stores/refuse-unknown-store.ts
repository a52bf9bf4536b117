import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchStore } from '../../../domain/errors.ts';
import { query } from '../../support/query.ts';

/** 404, in the platform's words, for a store view nobody knows. */
export async function refuseUnknownStore(em: EntityManager, storeId: number): Promise<void> {
  const [row] = await query(em, 'select store_id from store_view where store_id = $1', [storeId]);
  if (!row) throw noSuchStore();
}
