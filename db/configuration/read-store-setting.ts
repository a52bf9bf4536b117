import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults, type SettingPath } from '../../domain/configuration/setting-defaults.ts';
import { query } from '../support/query.ts';

/** One setting as it holds in a store view, its default included. For settings that are no secrets. */
export async function readStoreSetting(em: EntityManager, path: SettingPath, storeId: number): Promise<string> {
  const [row] = await query<{ value: string | null }>(em, settingText, [path, storeId]);
  return row ? (row.value ?? '') : (settingDefaults[path] ?? '');
}

const settingText = `
select c.value from config_value c
where c.path = $1 and not c.is_encrypted and (c.scope = 'default' or (c.scope = 'stores' and c.scope_id = $2)
  or (c.scope = 'websites' and c.scope_id = (select v.website_id from store_view v where v.store_id = $2)))
order by case c.scope when 'stores' then 0 when 'websites' then 1 else 2 end limit 1`;
