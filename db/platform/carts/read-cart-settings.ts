import type { EntityManager } from '@mikro-orm/postgresql';
import {
  cartSettingDefaults,
  type CartSettingPath,
  type CartSettings,
} from '../../../domain/platform/carts/shop-choices.ts';
import { query } from '../../support/query.ts';

const paths = Object.keys(cartSettingDefaults);

const settingsText = `
select distinct on (path) path, value from config_value
where path = any($1::text[]) and not is_encrypted
  and (scope = 'default' or (scope = 'websites' and scope_id = $2) or (scope = 'stores' and scope_id = $3))
order by path, case scope when 'stores' then 0 when 'websites' then 1 else 2 end`;

/** What a cart goes by in a store view: the view's own values over the website's over the defaults. */
export async function readCartSettings(
  em: EntityManager,
  { websiteId, storeId }: { websiteId: number; storeId: number },
): Promise<CartSettings> {
  const rows = await query<{ path: string; value: string | null }>(em, settingsText, [paths, websiteId, storeId]);
  const settings: Record<CartSettingPath, string> = { ...cartSettingDefaults };
  for (const { path, value } of rows) if (isSettingPath(path)) settings[path] = value ?? '';
  return settings;
}

const isSettingPath = (path: string): path is CartSettingPath => Object.hasOwn(cartSettingDefaults, path);
