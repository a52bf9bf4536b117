import type { EntityManager } from '@mikro-orm/postgresql';
import { publicSettingPaths, type PublicSettings } from '../../domain/content.ts';
import { sql } from '../support/sql.ts';

/** The settings that content may show, as they apply in each of some store views. Never a secret, whatever the path. */
export async function readPublicSettings(
  em: EntityManager,
  storeIds: readonly number[],
): Promise<ReadonlyMap<number, PublicSettings>> {
  const rows = await selectPublicSettings.all(em, { paths: publicSettingPaths, storeIds });
  const settings = new Map(storeIds.map((storeId) => [storeId, new Map<string, string>()]));
  for (const { storeId, path, value } of rows) settings.get(storeId)?.set(path, value);
  return settings;
}

/** All store views, except 0, which stands for all of them. */
export const readViewIds = async (em: EntityManager): Promise<number[]> =>
  (await readViews.all(em)).map(({ storeId }) => storeId);

const selectPublicSettings = sql('read-public-settings.selectPublicSettings')`
  select distinct on (s.store_id, c.path) s.store_id, c.path, coalesce(c.value, '') as value
  from unnest($storeIds::bigint[]) as s (store_id)
    left join store_view v on v.store_id = s.store_id
    join config_value c on c.path = any($paths) and not c.is_encrypted
      and (c.scope = 'default' or (c.scope = 'stores' and c.scope_id = s.store_id)
        or (c.scope = 'websites' and c.scope_id = v.website_id))
  order by s.store_id, c.path, case c.scope when 'stores' then 0 when 'websites' then 1 else 2 end`;

const readViews = sql('read-public-settings.readViews')`
  select store_id from store_view where store_id <> 0 order by store_id`;
