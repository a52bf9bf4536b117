import type { EntityManager } from '@mikro-orm/postgresql';
import { definite, text } from '../support/entity-columns.ts';
import { gathered } from '../support/gather.ts';
import { perDatabase } from '../support/per-database.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { noSuchTerminal, setupColumns, setupPosted, setupTables, versionsOfTerminal } from './terminal.repository.ts';

/** What a register showed of itself; what it did not show stays as it was. */
export interface Shown {
  terminalId: number;
  configHash?: string | undefined;
  agent?: string | undefined;
  appVersion?: string | undefined;
}

const note = sql('note-software.note', { answerWithinMs: 3_000 })`
  insert into pos_terminal_software as s (terminal_id, config_hash, fetched_at, agent, app_version)
  select t.terminal_id, $configHash?::text, case when $configHash::text is not null then now() end, $agent?, $appVersion?
  from pos_terminal t where t.terminal_id = $terminalId
  on conflict (terminal_id) do update set config_hash = coalesce(excluded.config_hash, s.config_hash),
    fetched_at = coalesce(excluded.fetched_at, s.fetched_at), agent = coalesce(excluded.agent, s.agent),
    app_version = coalesce(excluded.app_version, s.app_version)
  where (coalesce(excluded.config_hash, s.config_hash), coalesce(excluded.agent, s.agent),
      coalesce(excluded.app_version, s.app_version)) is distinct from (s.config_hash, s.agent, s.app_version)`;

/** So long another process may know better. */
const forgetAfterMs = 3_600_000;
const mostKnown = 10_000;

/** What this process wrote lately, so that a register which shows the same again costs no statement. */
const knownHere = perDatabase(() => new Map<string, number>());

/**
 * Notes what a register fetched and runs. It writes where that changed, and a repeat writes nothing. A terminal that is
 * not there is left out.
 */
export async function noteSoftware(em: EntityManager, shown: Shown): Promise<void> {
  const known = knownHere(em);
  const { terminalId, configHash = null, agent = null, appVersion = null } = shown;
  const key = JSON.stringify([terminalId, configHash, agent, appVersion]);
  const now = Date.now();
  if ((known.get(key) ?? 0) > now) return;
  await note.run(em, {
    terminalId,
    configHash,
    agent: agent?.slice(0, 255) ?? null,
    appVersion: appVersion?.slice(0, 64) ?? null,
  });
  if (known.size >= mostKnown) known.clear();
  known.set(key, now + forgetAfterMs);
}

/**
 * A terminal's setup, with the versions of its location's configuration, and of all that its `config_hash` is made of.
 */
export type VersionedSetup = RowFrom<typeof setups>;

const versionOf = (scope: string, id: string) =>
  `(select c.version from pos_config_version c where c.scope = '${scope}' and c.scope_id = ${id})`;

const setups = sql('note-software.setups', {
  answerWithinMs: 3_000,
  gives: { ...setupPosted, own_versions: definite(text) },
})`
  select ${setupColumns}, concat_ws('.', coalesce(${versionOf('global', '0')}, 1),
    coalesce(${versionOf('website', 'v.website_id')}, 1),
    coalesce(${versionOf('location', 't.location_id')}, 1)) as versions,
    ${versionsOfTerminal('t', 'p')} as own_versions
  from ${setupTables}
  where t.terminal_id = any($terminalIds::bigint[])`;

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
