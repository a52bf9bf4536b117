import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, surely } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * The platform assigns these ids itself. Call it only under the lock of `applyShop`; otherwise two calls get the same
 * id.
 */
export async function nextId(em: EntityManager, kind: keyof typeof next): Promise<number> {
  const row = await next[kind].first(em);
  return row?.id ?? 1;
}

const id = { id: surely(integer) };
const next = {
  website: statement({ takes: {}, gives: id, text: 'select coalesce(max(website_id), 0) + 1 as id from website' }),
  storeGroup: statement({ takes: {}, gives: id, text: 'select coalesce(max(group_id), 0) + 1 as id from store_group' }),
  storeView: statement({ takes: {}, gives: id, text: 'select coalesce(max(store_id), 0) + 1 as id from store_view' }),
};
