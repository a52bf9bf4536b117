import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchStore } from '../../../domain/errors.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { text } from '../../support/kinds.ts';
import { StoreView } from './store-view.entity.ts';

/**
 * The website of a store view, by the view's id or code.
 *
 * Refused with: 404 unknown store view.
 */
export async function readWebsiteOfStore(em: EntityManager, store: string): Promise<number> {
  const row = await websiteOfStore.first(em, { store });
  if (!row) throw noSuchStore();
  return row.websiteId;
}

const websiteOfStore = statement({
  takes: { store: text },
  gives: of(StoreView, 'websiteId'),
  text: 'select website_id from store_view where code = $store or store_id::text = $store',
});
