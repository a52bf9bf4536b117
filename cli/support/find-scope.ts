import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, notFound } from '../../domain/errors.ts';

/** The codes an operator names a scope by; neither: the whole shop. */
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

/** Which rows of the settings are meant. 404 for an unknown code, 400 when both are named. */
export async function findScope(em: EntityManager, { website, store }: ScopeOptions): Promise<FoundScope> {
  if (website !== undefined && store !== undefined) throw invalid('Name a website or a store view, not both.');
  if (website !== undefined) {
    const [row] = await em.execute<{ id: number }[]>('select website_id as id from website where code = ?', [website]);
    if (!row) throw notFound('No website has the code %1.', [website]);
    return { scope: 'websites', scopeId: row.id, websiteId: row.id, storeId: -1 };
  }
  if (store !== undefined) {
    const [row] = await em.execute<{ id: number; website_id: number }[]>(
      'select store_id as id, website_id from store_view where code = ?',
      [store],
    );
    if (!row) throw notFound('No store view has the code %1.', [store]);
    return { scope: 'stores', scopeId: row.id, websiteId: row.website_id, storeId: row.id };
  }
  return { scope: 'default', scopeId: 0, websiteId: -1, storeId: -1 };
}
