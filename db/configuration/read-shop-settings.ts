import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import { shopSettings, type ShopSettings } from '../../domain/configuration/shop-settings.ts';
import type { SecretBox } from '../support/secret-box.ts';

interface SettingRow {
  path: string;
  value: string | null;
  is_encrypted: boolean;
}

const paths = Object.keys(settingDefaults);

/**
 * Every setting of the register as it holds in a store view, in one query: the view's own value over the website's over
 * the default. Secrets come out in clear: for the two config routes only.
 */
export async function readShopSettings(
  em: EntityManager,
  { storeId, websiteId }: { storeId: number; websiteId: number },
  box: SecretBox,
): Promise<ShopSettings> {
  const rows = await em.execute<SettingRow[]>(
    `select distinct on (path) path, value, is_encrypted
     from config_value
     where path in (?) and (scope = 'default' or (scope = 'websites' and scope_id = ?) or (scope = 'stores' and scope_id = ?))
     order by path, case scope when 'stores' then 0 when 'websites' then 1 else 2 end`,
    [paths, websiteId, storeId],
  );
  return shopSettings(
    new Map(
      rows.map(({ path, value, is_encrypted: isEncrypted }) => [
        path,
        isEncrypted && value !== null ? box.open(value, path) : value,
      ]),
    ),
  );
}
