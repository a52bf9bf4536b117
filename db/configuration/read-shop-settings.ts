import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import { shopSettings, type ShopSettings } from '../../domain/configuration/shop-settings.ts';
import { query } from '../support/query.ts';
import type { SecretBox } from '../support/secret-box.ts';

interface SettingRow {
  path: string;
  value: string | null;
  is_encrypted: boolean;
}

const every: readonly string[] = Object.keys(settingDefaults);

interface SettingScope {
  storeId: number;
  /** Absent: the store view's own. */
  websiteId?: number;
}

/**
 * The settings of the register, all of them or those named, as they hold in a store view, in one query: the view's own value over the website's over
 * the default. Secrets come out in clear: for the two config routes only.
 */
export async function readShopSettings(
  em: EntityManager,
  { storeId, websiteId }: SettingScope,
  box: SecretBox,
  paths: readonly string[] = every,
): Promise<ShopSettings> {
  const rows = await query<SettingRow>(em, settingsText, [paths, storeId, websiteId ?? null]);
  return shopSettings(
    new Map(
      rows.map(({ path, value, is_encrypted: isEncrypted }) => [
        path,
        isEncrypted && value !== null ? box.open(value, path) : value,
      ]),
    ),
  );
}

const settingsText = `
select distinct on (path) path, value, is_encrypted
from config_value
where path = any($1::text[]) and (scope = 'default' or (scope = 'stores' and scope_id = $2) or (scope = 'websites'
  and scope_id = coalesce($3::int, (select website_id from store_view where store_id = $2))))
order by path, case scope when 'stores' then 0 when 'websites' then 1 else 2 end`;
