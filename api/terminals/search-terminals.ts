import type { EntityManager } from '@mikro-orm/postgresql';
import { search, type Found, type Searchable } from '../../db/support/search.ts';
import { terminalColumns, terminalTables, type TerminalRow } from '../../db/terminals/terminal.repository.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';

/** The activation code is not among the fields: a search by it would reveal it letter by letter. */
const terminals: Searchable = {
  table: terminalTables,
  columns: terminalColumns,
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
};

/** The shop's terminals, each with when it was last seen (spec 4.2). */
export const searchTerminals = (em: EntityManager, criteria: SearchCriteria): Promise<Found<TerminalRow>> =>
  search<TerminalRow>(em, criteria, terminals);
