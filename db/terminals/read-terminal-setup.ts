import type { EntityManager } from '@mikro-orm/postgresql';
import { gathered } from '../support/gather.ts';
import { readPrepared } from '../support/read-prepared.ts';
import { noSuchTerminal, setupColumns, setupTables, type TerminalSetupRow } from './terminal.repository.ts';

/** A terminal's setup, and how often what its location's registers see has changed. */
export interface VersionedSetup extends TerminalSetupRow {
  versions: string;
}

const versionOf = (scope: string, id: string) =>
  `(select c.version from pos_config_version c where c.scope = '${scope}' and c.scope_id = ${id})`;

const setups = {
  name: 'terminal_setups',
  text: `
select ${setupColumns}, concat_ws('.', coalesce(${versionOf('global', '0')}, 1),
  coalesce(${versionOf('website', 'v.website_id')}, 1), coalesce(${versionOf('location', 't.location_id')}, 1)) as versions
from ${setupTables}
where t.terminal_id = any($1::integer[])`,
};

const readTogether = gathered<number, VersionedSetup | undefined>({
  atMost: 64,
  async ask(em, terminalIds) {
    const rows = await readPrepared<VersionedSetup>(em, setups, [[...new Set(terminalIds)]]);
    const known = new Map(rows.map((row) => [row.terminal_id, row]));
    return terminalIds.map((terminalId) => known.get(terminalId));
  },
});

/**
 * A terminal with what hangs on it, as it is now, in one statement that requests of the same moment share. Outside any
 * transaction.
 *
 * Refused with: 404 unknown id.
 */
export async function readTerminalSetup(em: EntityManager, terminalId: number): Promise<VersionedSetup> {
  const setup = await readTogether(em, terminalId);
  if (!setup) throw noSuchTerminal(terminalId);
  return setup;
}
