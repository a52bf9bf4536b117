import type { EntityManager } from '@mikro-orm/postgresql';
import { text } from '../../support/entity-columns.ts';
import { asListed } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { StoreGroup, StoreView, Website } from './store.entity.ts';

export type StoreViewRow = RowFrom<typeof views>;

/** Every store view with the values of its website, first the admin scope's (id 0). */
export const readStoreViews = (em: EntityManager) => views.all(em);

const views = statement({
  takes: {},
  gives: {
    ...asListed(StoreView, 'storeId', 'websiteId', 'storeGroupId', 'code', 'name', 'isActive', 'currencyCode'),
    ...asListed(StoreView, 'currencyRate', 'locale'),
    website_code: text,
    ...asListed(Website, 'baseCurrencyCode', 'timeZone'),
  },
  text: `
    select v.store_id, v.website_id, v.store_group_id, v.code, v.name, v.is_active, v.currency_code, v.currency_rate,
      v.locale, w.code as website_code, w.base_currency_code, w.time_zone
    from store_view v join website w using (website_id)
    order by v.store_id`,
});

export type WebsiteRow = RowFrom<typeof websites>;

export const readWebsites = (em: EntityManager) => websites.all(em);

const websites = statement({
  takes: {},
  gives: asListed(Website, 'websiteId', 'code', 'name', 'defaultGroupId'),
  text: 'select website_id, code, name, default_group_id from website order by website_id',
});

export type StoreGroupRow = RowFrom<typeof groups>;

export const readStoreGroups = (em: EntityManager) => groups.all(em);

const groups = statement({
  takes: {},
  gives: asListed(StoreGroup, 'groupId', 'websiteId', 'code', 'name', 'rootCategoryId', 'defaultStoreId'),
  text: `
    select group_id, website_id, code, name, root_category_id, default_store_id from store_group order by group_id`,
});
