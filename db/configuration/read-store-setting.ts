import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults, type SettingPath } from '../../domain/configuration/setting-defaults.ts';
import { ConfigValue } from '../platform/stores/store.entity.ts';
import { integer, text } from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';

/** The value of one setting in a store view, or its default. For settings that are not secret. */
export async function readStoreSetting(em: EntityManager, path: SettingPath, storeId: number): Promise<string> {
  const row = await selectSetting.first(em, { path, storeId });
  return row ? (row.value ?? '') : (settingDefaults[path] ?? '');
}

const selectSetting = statement({
  takes: { path: text, storeId: integer },
  gives: of(ConfigValue, 'value'),
  text: `
    select c.value from config_value c
    where c.path = $path and not c.is_encrypted and (c.scope = 'default' or (c.scope = 'stores'
      and c.scope_id = $storeId)
      or (c.scope = 'websites' and c.scope_id = (select v.website_id from store_view v where v.store_id = $storeId)))
    order by case c.scope when 'stores' then 0 when 'websites' then 1 else 2 end limit 1`,
});
