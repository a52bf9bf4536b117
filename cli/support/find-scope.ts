import type { EntityManager } from '@mikro-orm/postgresql';
import { StoreView } from '../../db/platform/stores/store-view.entity.ts';
import { Website } from '../../db/platform/stores/website.entity.ts';
import { text } from '../../db/support/kinds.ts';
import { of } from '../../db/support/rows.ts';
import { statement } from '../../db/support/statement.ts';
import { invalid, notFound } from '../../domain/errors.ts';

/** The scope's code on the command line; neither: the whole shop. */
export interface ScopeOptions {
  website?: string;
  store?: string;
}

export interface FoundScope {
  scope: 'default' | 'websites' | 'stores';
  scopeId: number;
  websiteId: number;
  storeId: number;
}

/** The scope of a settings command. 404 for an unknown code, 400 when both are given. */
export async function findScope(em: EntityManager, { website, store }: ScopeOptions): Promise<FoundScope> {
  if (website !== undefined && store !== undefined) throw invalid('Name a website or a store view, not both.');
  if (website !== undefined) {
    const row = await findWebsite.first(em, { code: website });
    if (!row) throw notFound('No website has the code %1.', [website]);
    return { scope: 'websites', scopeId: row.websiteId, websiteId: row.websiteId, storeId: -1 };
  }
  if (store !== undefined) {
    const row = await findView.first(em, { code: store });
    if (!row) throw notFound('No store view has the code %1.', [store]);
    return { scope: 'stores', scopeId: row.storeId, websiteId: row.websiteId, storeId: row.storeId };
  }
  return { scope: 'default', scopeId: 0, websiteId: -1, storeId: -1 };
}

const findWebsite = statement({
  takes: { code: text },
  gives: of(Website, 'websiteId'),
  text: 'select website_id from website where code = $code',
});

const findView = statement({
  takes: { code: text },
  gives: of(StoreView, 'storeId', 'websiteId'),
  text: 'select store_id, website_id from store_view where code = $code',
});
