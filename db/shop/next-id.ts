import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, surely } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** The platform numbers these itself. Only under the lock of the shop's own set-up, else two take one number. */
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
