import type { EntityManager } from '@mikro-orm/postgresql';
import { asListed } from '../../support/rows.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { StoreView } from './store.entity.ts';

export type StoreScopeRow = RowFrom<typeof selectScopes>;

/** Every store view a request path can name, the one of a path without a store code first, the admin scope last. */
export const readStoreScopes = (em: EntityManager): Promise<StoreScopeRow[]> => selectScopes.all(em);

const selectScopes = sql('read-store-scopes.selectScopes', {
  gives: asListed(StoreView, 'storeId', 'websiteId', 'code'),
})`
  select v.store_id, v.website_id, v.code
  from store_view v join website w using (website_id) left join store_group g on g.group_id = w.default_group_id
  where v.is_active
  order by v.store_id = 0, w.is_default desc, w.website_id,
    (g.default_store_id is not distinct from v.store_id) desc, v.sort_order, v.store_id`;
