import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchStore } from '../../../domain/errors.ts';
import { integer } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { StoreView } from './store-view.entity.ts';

/** 404, in the platform's words, for an unknown store view. */
export async function refuseUnknownStore(em: EntityManager, storeId: number): Promise<void> {
  if (!(await find.first(em, { storeId }))) throw noSuchStore();
}

const find = statement({
  takes: { storeId: integer },
  gives: of(StoreView, 'storeId'),
  text: 'select store_id from store_view where store_id = $storeId',
});
