import { z } from 'zod';
import { renderTerminal, terminalAnswer } from '../wire/register/render-terminal.ts';
import { route } from '../http/route.ts';
import { listAnswer } from '../wire/schemas.ts';
import { everything, renderList, searchCriteria, unknownField } from '../wire/search-criteria.ts';
import { mayManageTerminals } from './may-manage-terminals.ts';
import { searchTerminals } from './search-terminals.ts';

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
    const { rows, totalCount } = await searchTerminals(reader, query.searchCriteria);
    const showsCode = mayManageTerminals(caller);
    return renderList(
      query.searchCriteria,
      rows.map((row) => renderTerminal(row, { showsCode })),
      totalCount,
    );
  },
});
