import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import { isOn } from '../../domain/configuration/shop-settings.ts';
import { integer, orNull, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

const path = 'vendor_pos/general/require_terminal_registration';

/** Whether registers of a location need an activation code (spec 4.2), as in the heartbeat's answer. */
export async function requiresCode(em: EntityManager, locationId: number | null): Promise<boolean> {
  const stored = await read.first(em, { path, locationId });
  return isOn(stored ? (stored.value ?? '') : (settingDefaults[path] ?? ''));
}

/** An unknown location gets the shop's value. */
const read = statement({
  takes: { path: text, locationId: orNull(integer) },
  gives: { value: orNull(text) },
  text: `
    select c.value
    from (select) as shop
    left join pos_location p on p.location_id = $locationId
    left join lateral pos_view_of_place(p.website_id, p.store_view_id) as v on true
    join config_value c on c.path = $path and (c.scope = 'default'
      or (c.scope = 'stores' and c.scope_id = v.store_id) or (c.scope = 'websites' and c.scope_id = v.website_id))
    order by case c.scope when 'stores' then 0 when 'websites' then 1 else 2 end limit 1`,
});
