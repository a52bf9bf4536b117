import type { EntityManager } from '@mikro-orm/postgresql';

/** A merchant setting of the platform as it holds in a store view: its own value, else the website's, else the default. */
export async function readConfigValue(
  em: EntityManager,
  path: string,
  { storeId, websiteId }: { storeId: number; websiteId: number },
): Promise<string | undefined> {
  const [row] = await em.execute<{ value: string | null }[]>(
    `select value from config_value
     where path = ? and not is_encrypted and (scope = 'default' or (scope = 'websites' and scope_id = ?) or (scope = 'stores' and scope_id = ?))
     order by case scope when 'stores' then 0 when 'websites' then 1 else 2 end
     limit 1`,
    [path, websiteId, storeId],
  );
  return row?.value ?? undefined;
}
