import type { EntityManager } from '@mikro-orm/postgresql';
import { readStoreScopes, type StoreScopeRow } from '../../db/platform/stores/read-store-scopes.ts';
import { requestNotProcessable } from '../../domain/refusals/platform.ts';
import type { StoreScope } from './route.ts';

/** How soon a change of store views is visible; they change a few times a year. */
const storedMs = 10_000;

/** In a path: the scope above all store views. */
export const adminScope: StoreScope = { storeId: 0, websiteId: 0, code: 'admin' };

export type FindStore = (code: string | undefined) => Promise<StoreScope>;

/**
 * Finds the store view of a path (platform facts 4.1); `undefined` is a path without a store code.
 *
 * A view is cached for ten seconds; an unknown code is read again each time. Refused with 400: an unknown code.
 */
export function createStoreScopes(em: EntityManager): FindStore {
  let stored: Scopes = { byCode: new Map(), first: undefined };
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  const renew = async () => {
    stored = scopesOf(await readStoreScopes(em));
    readAt = performance.now();
  };
  const renewOnce = () => (reading ??= renew().finally(() => (reading = undefined)));
  const known = (code: string | undefined) => (code === undefined ? stored.first : stored.byCode.get(code));

  return async (code) => {
    if (code === 'all') return adminScope;
    if (performance.now() - readAt > storedMs || !known(code)) await renewOnce();
    const scope = known(code);
    if (scope) return scope;
    if (code === undefined) return adminScope;
    throw requestNotProcessable();
  };
}

interface Scopes {
  byCode: ReadonlyMap<string, StoreScope>;
  /** The default store view; undefined in a shop without any. */
  first: StoreScope | undefined;
}

function scopesOf(rows: readonly StoreScopeRow[]): Scopes {
  const scopes = rows.map(({ store_id, website_id, code }) => ({ storeId: store_id, websiteId: website_id, code }));
  return {
    byCode: new Map(scopes.map((scope) => [scope.code, scope])),
    first: scopes.find(({ storeId }) => storeId > 0),
  };
}
