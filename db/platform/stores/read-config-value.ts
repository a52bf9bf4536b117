import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../../support/entity-columns.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { ConfigValue } from './store.entity.ts';

/** A platform setting in a store view: its own value, else the website's, else the default. */
export async function readConfigValue(
  em: EntityManager,
  path: string,
  { storeId, websiteId }: { storeId: number; websiteId: number },
): Promise<string | undefined> {
  return (await selectConfigValue.first(em, { path, websiteId, storeId }))?.value ?? undefined;
}

const selectConfigValue = statement({
  takes: { path: text, websiteId: integer, storeId: integer },
  gives: of(ConfigValue, 'value'),
  text: `
    select value from config_value
    where path = $path and not is_encrypted and (scope = 'default'
      or (scope = 'websites' and scope_id = $websiteId) or (scope = 'stores' and scope_id = $storeId))
    order by case scope when 'stores' then 0 when 'websites' then 1 else 2 end
    limit 1`,
});
