import type { EntityManager } from '@mikro-orm/postgresql';
import { isOn, settingDefaults } from '../../domain/configuration/setting-defaults.ts';
import { deviceMismatch } from '../../domain/refusals/register.ts';
import type { Author } from '../audit/record-difference.ts';
import type { Records } from '../support/records.ts';
import { sql } from '../support/sql.ts';
import { deleteTerminal } from './delete-terminal.ts';
import { saveTerminal, type TerminalInput } from './save-terminal.ts';
import { type TerminalRow } from './terminal.repository.ts';
import { findTerminal, searchTerminals } from './read-terminals.ts';

const path = 'vendor_pos/general/require_terminal_registration';

/** Whether registers of a location need an activation code (spec 4.2), as in the heartbeat's answer. */
export async function requiresCode(em: EntityManager, locationId: number | null): Promise<boolean> {
  const stored = await selectTerminals.first(em, { path, locationId });
  return isOn(stored ? (stored.value ?? '') : (settingDefaults[path] ?? ''));
}

/** An unknown location gets the shop's value. */
const selectTerminals = sql('terminals.selectTerminals')`
  select c.value
  from (select) as shop
  left join pos_location p on p.location_id = $locationId?
  left join lateral pos_view_of_place(p.website_id, p.store_view_id) as v on true
  join config_value c on c.path = $path and (c.scope = 'default'
    or (c.scope = 'stores' and c.scope_id = v.store_id) or (c.scope = 'websites' and c.scope_id = v.website_id))
  order by case c.scope when 'stores' then 0 when 'websites' then 1 else 2 end limit 1`;

/** The terminals of a shop, with their audit lines (spec 2.4, 4.2); each is read with when it was last seen. */
export const terminals: Records<TerminalRow, TerminalInput, number, Author> = {
  search: searchTerminals,
  find: findTerminal,
  save: async (em, { id, draft, by }) => findTerminal(em, await saveTerminal(em, id, draft, by)),
  remove: (em, terminalId, by) => deleteTerminal(em, { terminalId, ...(by && { by }) }),
};

/**
 * Releases a terminal's binding at the request of its own device (spec 3.4, `deactivate`).
 *
 * A repeat by the same device finds the binding released and gets the same answer.
 *
 * Refused with: 404 unknown terminal · 401 another device.
 */
export async function releaseTerminal(
  em: EntityManager,
  { terminalId, deviceIdentifier }: { terminalId: number; deviceIdentifier: string },
): Promise<void> {
  if ((await release.run(em, { terminalId, deviceIdentifier })) > 0) return;
  await findTerminal(em, terminalId);
  throw deviceMismatch();
}

const release = sql('terminals.release')`
  update pos_terminal
  set released_device_identifier = coalesce(device_identifier, released_device_identifier), device_identifier = null,
    updated_at = now()
  where terminal_id = $terminalId
    and $deviceIdentifier in (
      device_identifier, case when device_identifier is null then released_device_identifier end)`;
