import type { EntityManager } from '@mikro-orm/postgresql';

export interface StoreViewRow {
  store_id: number;
  website_id: number;
  store_group_id: number;
  code: string;
  name: string;
  is_active: boolean;
  currency_code: string;
  currency_rate: string;
  locale: string;
  website_code: string;
  base_currency_code: string;
  time_zone: string;
}

/** Every store view with what it takes from its website, the admin scope's (id 0) first. */
export const readStoreViews = (em: EntityManager) =>
  em.execute<StoreViewRow[]>(
    `select v.store_id, v.website_id, v.store_group_id, v.code, v.name, v.is_active, v.currency_code, v.currency_rate,
       v.locale, w.code as website_code, w.base_currency_code, w.time_zone
     from store_view v join website w using (website_id)
     order by v.store_id`,
  );

export interface WebsiteRow {
  website_id: number;
  code: string;
  name: string;
  default_group_id: number;
}

export const readWebsites = (em: EntityManager) =>
  em.execute<WebsiteRow[]>('select website_id, code, name, default_group_id from website order by website_id');

export interface StoreGroupRow {
  group_id: number;
  website_id: number;
  code: string;
  name: string;
  root_category_id: number;
  default_store_id: number;
}

export const readStoreGroups = (em: EntityManager) =>
  em.execute<StoreGroupRow[]>(
    'select group_id, website_id, code, name, root_category_id, default_store_id from store_group order by group_id',
  );
