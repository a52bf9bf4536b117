import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { fieldsNamed } from '../support/fields.ts';
import { freshReads } from '../support/fresh-reads.ts';
import { listedOf } from '../support/rows.ts';
import { ofEntity, searchesRecords } from '../support/search-records.ts';
import type { Found } from '../support/search.ts';
import { Terminal } from './terminal.entity.ts';
import { noSuchTerminal, type TerminalRow } from './terminal.repository.ts';

/** One terminal. Refused with: 404 unknown id (spec 4.1). */
export async function findTerminal(em: EntityManager, terminalId: number): Promise<TerminalRow> {
  const found = await freshReads(em).findOne(Terminal, { terminalId }, { populate: ['lastSeenAt'] });
  if (!found) throw noSuchTerminal(terminalId);
  return rowOf(found);
}

/** The activation code is not among the fields: a search by it would reveal it letter by letter. */
const found = searchesRecords({
  entity: Terminal,
  fields: {
    ...fieldsNamed(Terminal, {
      ...{ terminal_id: 'terminalId', name: 'name', location_id: 'locationId', is_active: 'isActive' },
      ...{ license_id: 'licenseId', activation_used_at: 'activationUsedAt' },
      ...{ created_at: 'createdAt', updated_at: 'updatedAt' },
    }),
    device_identifier: { column: 'device_identifier', type: 'code', isNullable: true },
    last_seen_at: {
      column: `(select h.last_seen_at from pos_terminal_heartbeat h where h.terminal_id = ${ofEntity}.terminal_id)`,
      type: 'timestamp',
      isNullable: true,
    },
  },
  order: 'terminal_id',
  populate: ['lastSeenAt'],
});

/** The shop's terminals, each with when it was last seen (spec 4.2). */
export async function searchTerminals(em: EntityManager, criteria: SearchCriteria): Promise<Found<TerminalRow>> {
  const { rows, totalCount } = await found(em, criteria);
  return { rows: rows.map(rowOf), totalCount };
}

const rowOf = (terminal: Terminal): TerminalRow => ({
  ...listedOf(Terminal, terminal),
  last_seen_at: terminal.lastSeenAt?.toISOString() ?? null,
});
