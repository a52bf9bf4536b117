import type { EntityManager } from '@mikro-orm/postgresql';
import { publicSettingPaths, type PublicSettings } from '../../domain/content/public-settings.ts';
import { integer, text, texts } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** The settings that content may show, as they hold in a store view. Never a secret, whatever the path. */
export async function readPublicSettings(em: EntityManager, storeId: number): Promise<PublicSettings> {
  const rows = await read.all(em, { paths: publicSettingPaths, storeId });
  return new Map(rows.map(({ path, value }) => [path, value]));
}

const read = statement({
  takes: { paths: texts, storeId: integer },
  gives: { path: text, value: text },
  text: `
    select distinct on (c.path) c.path, coalesce(c.value, '') as value
    from config_value c
    where c.path = any($paths) and not c.is_encrypted
      and (c.scope = 'default' or (c.scope = 'stores' and c.scope_id = $storeId)
        or (c.scope = 'websites' and c.scope_id = (select v.website_id from store_view v where v.store_id = $storeId)))
    order by c.path, case c.scope when 'stores' then 0 when 'websites' then 1 else 2 end`,
});
