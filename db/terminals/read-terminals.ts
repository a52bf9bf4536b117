import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { freshReads } from '../support/fresh-reads.ts';
import { listedOf } from '../support/rows.ts';
import { recordsOf, searchesGrowing } from '../support/search-growing.ts';
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
const found = searchesGrowing({
  table: 'pos_terminal t left join pos_terminal_heartbeat h using (terminal_id)',
  fields: {
    terminal_id: { column: 't.terminal_id', type: 'integer' },
    name: { column: 't.name', type: 'text' },
    device_identifier: { column: 't.device_identifier', type: 'code', isNullable: true },
    location_id: { column: 't.location_id', type: 'integer', isNullable: true },
    is_active: { column: 't.is_active', type: 'boolean' },
    license_id: { column: 't.license_id', type: 'integer', isNullable: true },
    activation_used_at: { column: 't.activation_used_at', type: 'timestamp', isNullable: true },
    last_seen_at: { column: 'h.last_seen_at', type: 'timestamp', isNullable: true },
    created_at: { column: 't.created_at', type: 'timestamp' },
    updated_at: { column: 't.updated_at', type: 'timestamp' },
  },
  order: 't.terminal_id',
  ...recordsOf<Terminal>(Terminal, 'terminalId', ['lastSeenAt']),
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
