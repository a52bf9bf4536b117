import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults, shopSettings, type ShopSettings } from '../../domain/configuration/setting-defaults.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import type { SecretBox } from '../support/secret-box.ts';

/** For settings of which none is sealed. */
export const nothingSealed: SecretBox = { seal: () => '', open: () => '', digest: () => '', digests: () => [] };

const every: readonly string[] = Object.keys(settingDefaults);

interface SettingScope {
  storeId: number;
  /** Absent: the store view's own. */
  websiteId?: number;
}

/**
 * The settings of the register, all of them or those named, as they hold in a store view, in one query: the view's
 * own value over the website's over the default. Secrets are returned in clear text, only for the two config routes.
 */
export async function readShopSettings(
  em: EntityManager,
  { storeId, websiteId }: SettingScope,
  box: SecretBox,
  paths: readonly string[] = every,
): Promise<ShopSettings> {
  return settingsOf(await selectShopSettings.all(em, { paths, storeId, websiteId: websiteId ?? null }), box);
}

/** What a statement read of `settingsText`, in clear. */
export const settingsOf = (rows: readonly StoredSetting[], box: SecretBox): ShopSettings =>
  shopSettings(
    new Map(
      rows.map(({ path, value, isEncrypted }) => [path, isEncrypted && value !== null ? box.open(value, path) : value]),
    ),
  );

type StoredSetting = RowFrom<typeof selectShopSettings>;

/** Some settings as they hold in a store view, for a statement that reads them on its way; all of it is SQL. */
export const settingsText = ({ paths, storeId, websiteId }: { paths: string; storeId: string; websiteId: string }) => `
    select distinct on (path) path, value, is_encrypted
    from config_value
    where path = any(${paths}) and (scope = 'default' or (scope = 'stores' and scope_id = ${storeId})
      or (scope = 'websites' and scope_id = ${websiteId}))
    order by path, case scope when 'stores' then 0 when 'websites' then 1 else 2 end`;

const selectShopSettings = sql('read-shop-settings.selectShopSettings')`
  ${settingsText({
    paths: '$paths::text[]',
    storeId: '$storeId',
    websiteId: 'coalesce($websiteId?::bigint, (select website_id from store_view where store_id = $storeId))',
  })}`;
