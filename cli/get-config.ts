import { sql } from '../db/support/sql.ts';
import type { RowFrom } from '../db/support/statement.ts';
import { secretPaths } from '../domain/configuration/setting-defaults.ts';
import { invalid } from '../domain/errors.ts';
import { fine, columns, findScope, type Answer, type ScopeOptions, type CommandContext } from './support.ts';
import { builtInSetting } from '../domain/configuration/meaning-of-setting.ts';

/** The values of one path for a scope, the narrowest first: that one applies. */
const readValues = sql('get-config.readValues')`
  select c.scope, coalesce(w.code, v.code) as code, c.value, c.is_encrypted
  from config_value c
  left join website w on c.scope = 'websites' and w.website_id = c.scope_id
  left join store_view v on c.scope = 'stores' and v.store_id = c.scope_id
  where c.path = $path and (c.scope = 'default' or (c.scope = 'websites' and c.scope_id = $websiteId)
    or (c.scope = 'stores' and c.scope_id = $storeId))
  order by case c.scope when 'stores' then 0 when 'websites' then 1 else 2 end`;

type SettingRow = RowFrom<typeof readValues>;

/**
 * `config get PATH`: the value for the whole shop, a website or a store view, and its source. Of a secret it shows
 * only whether it is set.
 *
 * Refused with 404 for an unknown website or store view, 400 for an unknown path without a stored value.
 */
export async function getConfig({ em: connect }: CommandContext, path: string, options: ScopeOptions): Promise<Answer> {
  const em = await connect();
  const scope = await findScope(em, options);
  const rows = await readValues.all(em, { path, websiteId: scope.websiteId, storeId: scope.storeId });
  const builtIn = builtInSetting(path);
  if (rows.length === 0 && builtIn === undefined)
    throw invalid('"%1" is not set anywhere, and no setting has that name.', [path]);
  const [holds] = rows;
  const value = holds ? shown(path, holds) : (builtIn ?? null);
  const table = [
    ...rows.map((row) => [scopeName(row), shown(path, row) ?? '(nothing)']),
    ...(builtIn === undefined ? [] : [['built in', builtIn]]),
  ].map(([where = '', what = ''], index) => [index === 0 ? '→' : ' ', where, what]);
  return fine(columns(table), { path, value, source: holds ? scopeName(holds) : 'built in' });
}

const shown = (path: string, { value, isEncrypted }: SettingRow) =>
  isEncrypted || secretPaths.has(path) ? '(set, not shown)' : value;

const scopeName = ({ scope, code }: SettingRow) =>
  scope === 'default' ? 'default' : `${scope === 'websites' ? 'website' : 'store view'} ${code ?? '?'}`;
