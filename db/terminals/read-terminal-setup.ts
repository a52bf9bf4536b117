import type { EntityManager } from '@mikro-orm/postgresql';
import { gathered } from '../support/gather.ts';
import { integers, surely, text } from '../support/kinds.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { noSuchTerminal, setupColumns, setupGiven, setupTables, versionsOfTerminal } from './terminal.repository.ts';

/** A terminal's setup, with the versions of its location's configuration, and of all that its `config_hash` is made of. */
export type VersionedSetup = RowFrom<typeof setups>;

const versionOf = (scope: string, id: string) =>
  `(select c.version from pos_config_version c where c.scope = '${scope}' and c.scope_id = ${id})`;

const setups = statement({
  answerWithinMs: 3_000,
  takes: { terminalIds: integers },
  gives: { ...setupGiven, versions: surely(text), own_versions: surely(text) },
  text: `
    select ${setupColumns}, concat_ws('.', coalesce(${versionOf('global', '0')}, 1),
      coalesce(${versionOf('website', 'v.website_id')}, 1),
      coalesce(${versionOf('location', 't.location_id')}, 1)) as versions,
      ${versionsOfTerminal('t', 'p')} as own_versions
    from ${setupTables}
    where t.terminal_id = any($terminalIds::integer[])`,
});

const readTogether = gathered<number, VersionedSetup | undefined>({
  atMost: 64,
  async ask(em, terminalIds) {
    const rows = await setups.all(em, { terminalIds: [...new Set(terminalIds)] });
    const known = new Map(rows.map((row) => [row.terminal_id, row]));
    return terminalIds.map((terminalId) => known.get(terminalId));
  },
});

/**
 * A terminal with all its related data, in one statement that concurrent requests share. Outside any transaction.
 *
 * Refused with: 404 unknown id.
 */
export async function readTerminalSetup(em: EntityManager, terminalId: number): Promise<VersionedSetup> {
  const setup = await readTogether(em, terminalId);
  if (!setup) throw noSuchTerminal(terminalId);
  return setup;
}
