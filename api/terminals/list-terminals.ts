import { z } from 'zod';
import { search, type Searchable } from '../../db/support/search.ts';
import { terminalColumns, terminalTables, type TerminalRow } from '../../db/terminals/terminal.repository.ts';
import { renderTerminal, terminalAnswer } from '../wire/register/render-terminal.ts';
import { route } from '../http/route.ts';
import { listAnswer } from '../wire/schemas.ts';
import { everything, renderList, searchCriteria, unknownField } from '../wire/search-criteria.ts';
import { mayManageTerminals } from './may-manage-terminals.ts';

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

/** The shop's terminals (spec 4.2). */
export const listTerminals = route({
  method: 'GET',
  path: '/V1/pos/terminals',
  acl: 'Vendor_Pos::locations',
  summary: 'List terminals',
  name: 'listTerminals',
  description: `Without criteria every terminal of the shop. The activation code is null for callers that may not
    manage terminals, and cannot be searched.`,
  outcomes: [unknownField],
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(terminalAnswer),
  isPrivate: true,

  async handle({ reader, query, caller }) {
    const { rows, totalCount } = await search<TerminalRow>(reader, query.searchCriteria, terminals);
    const showsCode = mayManageTerminals(caller);
    return renderList(
      query.searchCriteria,
      rows.map((row) => renderTerminal(row, { showsCode })),
      totalCount,
    );
  },
});
