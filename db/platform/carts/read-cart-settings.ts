import type { EntityManager } from '@mikro-orm/postgresql';
import {
  cartSettingDefaults,
  type CartSettingPath,
  type CartSettings,
} from '../../../domain/platform/carts/shop-choices.ts';
import { integer, texts } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { ConfigValue } from '../stores/config-value.entity.ts';

const paths = Object.keys(cartSettingDefaults);

const read = statement({
  takes: { paths: texts, websiteId: integer, storeId: integer },
  gives: of(ConfigValue, 'path', 'value'),
  text: `
    select distinct on (path) path, value from config_value
    where path = any($paths::text[]) and not is_encrypted and (scope = 'default'
      or (scope = 'websites' and scope_id = $websiteId) or (scope = 'stores' and scope_id = $storeId))
    order by path, case scope when 'stores' then 0 when 'websites' then 1 else 2 end`,
});

/** The settings of a cart's store view: its own values, else the website's, else the defaults. */
export async function readCartSettings(
  em: EntityManager,
  { websiteId, storeId }: { websiteId: number; storeId: number },
): Promise<CartSettings> {
  const rows = await read.all(em, { paths, websiteId, storeId });
  const settings: Record<CartSettingPath, string> = { ...cartSettingDefaults };
  for (const { path, value } of rows) if (isSettingPath(path)) settings[path] = value ?? '';
  return settings;
}

const isSettingPath = (path: string): path is CartSettingPath => Object.hasOwn(cartSettingDefaults, path);
