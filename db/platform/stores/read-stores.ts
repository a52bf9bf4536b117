import type { EntityManager } from '@mikro-orm/postgresql';
import { freshReads } from '../../support/fresh-reads.ts';
import { StoreGroup, StoreView, Website } from './store.entity.ts';

/** A store view with the currency and the time zone of its website. */
export type StoreViewOfWebsite = StoreView & {
  website: Pick<Website, 'code' | 'baseCurrencyCode' | 'timeZone'>;
};

/** Every store view with its website, first the admin scope's (id 0). */
export async function readStoreViews(em: EntityManager): Promise<StoreViewOfWebsite[]> {
  const websites = new Map((await readWebsites(em)).map((website) => [website.websiteId, website]));
  const views = await freshReads(em).find(StoreView, {}, { orderBy: { storeId: 'asc' } });
  return views.flatMap((view) => {
    const website = websites.get(view.websiteId);
    return website ? [{ ...view, website }] : [];
  });
}

/** Every website, first the admin scope's (id 0). */
export const readWebsites = (em: EntityManager): Promise<Website[]> =>
  freshReads(em).find(Website, {}, { orderBy: { websiteId: 'asc' } });

/** Every group of store views, first the admin scope's (id 0). */
export const readStoreGroups = (em: EntityManager): Promise<StoreGroup[]> =>
  freshReads(em).find(StoreGroup, {}, { orderBy: { groupId: 'asc' } });
