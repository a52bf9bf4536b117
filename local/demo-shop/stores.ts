import type { EntityManager } from '@mikro-orm/postgresql';
import { StoreGroup } from '../../db/platform/stores/store-group.entity.ts';
import { StoreView } from '../../db/platform/stores/store-view.entity.ts';
import { Website } from '../../db/platform/stores/website.entity.ts';

const websites = [
  {
    websiteId: 1,
    code: 'base',
    name: 'Main Website',
    defaultGroupId: 1,
    baseCurrencyCode: 'USD',
    timeZone: 'America/New_York',
    isDefault: true,
  },
  {
    websiteId: 2,
    code: 'eu',
    name: 'European Website',
    defaultGroupId: 2,
    baseCurrencyCode: 'EUR',
    timeZone: 'Europe/Berlin',
    isDefault: false,
  },
];

const groups = [
  {
    groupId: 1,
    websiteId: 1,
    code: 'main_website_store',
    name: 'Main Website Store',
    rootCategoryId: 2,
    defaultStoreId: 1,
  },
  { groupId: 2, websiteId: 2, code: 'european_store', name: 'European Store', rootCategoryId: 2, defaultStoreId: 3 },
];

/** In the demo a US dollar is always 1.36 Canadian dollars. */
const views = [
  {
    storeId: 1,
    websiteId: 1,
    storeGroupId: 1,
    code: 'default',
    name: 'Default Store View',
    currencyCode: 'USD',
    currencyRate: '1',
    locale: 'en_US',
    sortOrder: 0,
  },
  {
    storeId: 2,
    websiteId: 1,
    storeGroupId: 1,
    code: 'ca',
    name: 'Canada',
    currencyCode: 'CAD',
    currencyRate: '1.36',
    locale: 'en_CA',
    sortOrder: 1,
  },
  {
    storeId: 3,
    websiteId: 2,
    storeGroupId: 2,
    code: 'eu_de',
    name: 'Deutschland',
    currencyCode: 'EUR',
    currencyRate: '1',
    locale: 'de_DE',
    sortOrder: 2,
  },
];

/** Two websites, three store views. Existing rows stay unchanged. */
export async function seedStores(em: EntityManager): Promise<void> {
  const onConflictAction = 'ignore';
  await em.upsertMany(Website, websites, { onConflictFields: ['websiteId'], onConflictAction });
  await em.upsertMany(StoreGroup, groups, { onConflictFields: ['groupId'], onConflictAction });
  await em.upsertMany(StoreView, views, { onConflictFields: ['storeId'], onConflictAction });
}
