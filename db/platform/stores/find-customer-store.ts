import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity, noSuchStore } from '../../../domain/errors.ts';
import { sql } from '../../support/sql.ts';

export interface CustomerStore {
  storeId: number;
  websiteId: number;
  name: string;
}

/** Default views first, those of the default website before all others. */
const realViews = `
  select v.store_id, v.website_id, v.name
  from store_view v join website w using (website_id) left join store_group g on g.group_id = w.default_group_id
  where v.store_id > 0`;
const defaultsFirst = `
  order by w.is_default desc, w.website_id, (g.default_store_id is not distinct from v.store_id) desc, v.sort_order, v.store_id
  limit 1`;
const findView = sql('find-customer-store.findView')`${realViews} and v.store_id = $storeId`;
const findOfWebsite = sql(
  'find-customer-store.findOfWebsite',
)`${realViews} and v.website_id = $websiteId ${defaultsFirst}`;
const findDefault = sql('find-customer-store.findDefault')`${realViews} ${defaultsFirst}`;

/**
 * The store view of a new account: the one named; else the default of the website named; else that of the call; in
 * the admin scope the default one. Website 0 is never stored (platform facts 8; spec 4.5 rule 3).
 *
 * Refused with: 404 unknown store view or website · 400 a store view of another website.
 */
export async function findCustomerStore(
  em: EntityManager,
  request: { storeId?: number | undefined; websiteId?: number | undefined; currentStoreId: number },
): Promise<CustomerStore> {
  if (request.storeId) {
    const view = await findView.first(em, { storeId: request.storeId });
    if (!view) throw noSuchEntity('storeId', request.storeId);
    if (request.websiteId && request.websiteId !== view.websiteId)
      throw invalid('The store view is not in the associated website.');
    return view;
  }
  if (request.websiteId) {
    const view = await findOfWebsite.first(em, { websiteId: request.websiteId });
    if (!view) throw noSuchEntity('websiteId', request.websiteId);
    return view;
  }
  const current =
    request.currentStoreId > 0 ? await findView.first(em, { storeId: request.currentStoreId }) : undefined;
  const view = current ?? (await findDefault.first(em));
  if (!view) throw noSuchEntity('storeId', request.currentStoreId);
  return view;
}

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

const websiteOfStore = sql('find-customer-store.websiteOfStore')`
  select website_id from store_view where code = $store or store_id::text = $store`;

/** 404, in the platform's words, for an unknown store view. */
export async function refuseUnknownStore(em: EntityManager, storeId: number): Promise<void> {
  if (!(await selectCustomerStore.first(em, { storeId }))) throw noSuchStore();
}

const selectCustomerStore = sql('find-customer-store.selectCustomerStore')`
  select store_id from store_view where store_id = $storeId`;
