import type { EntityManager } from '@mikro-orm/postgresql';

export interface StoreScopeRow {
  store_id: number;
  website_id: number;
  code: string;
}

/**
 * Every store view that a request path can name: first the one for paths without a store code, last the admin scope.
 */
export const readStoreScopes = (em: EntityManager) =>
  em.getConnection().execute<StoreScopeRow[]>(
    `select v.store_id, v.website_id, v.code
     from store_view v join website w using (website_id) left join store_group g on g.group_id = w.default_group_id
     where v.is_active
     order by v.store_id = 0, w.is_default desc, w.website_id,
       (g.default_store_id is not distinct from v.store_id) desc, v.sort_order, v.store_id`,
  );
