import type { Author } from '../audit/record-difference.ts';
import type { Records } from '../support/records.ts';
import { deleteTerminal } from './delete-terminal.ts';
import { saveTerminal, type TerminalWish } from './save-terminal.ts';
import { findTerminal, searchTerminals, type TerminalRow } from './terminal.repository.ts';

/** The terminals of a shop, with their audit lines (spec 2.4, 4.2); each is read with when it was last seen. */
export const terminals: Records<TerminalRow, TerminalWish, number, Author> = {
  search: searchTerminals,
  find: findTerminal,
  save: async (em, { id, draft, by }) => findTerminal(em, await saveTerminal(em, id, draft, by)),
  remove: (em, terminalId, by) => deleteTerminal(em, { terminalId, ...(by && { by }) }),
};
