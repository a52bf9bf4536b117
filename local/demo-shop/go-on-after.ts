import { bigText, surely } from '../../db/support/kinds.ts';
import { statement } from '../../db/support/statement.ts';

/** Moves a table's sequence past the ids that the demo shop chose itself. */
export const goOnAfter = (table: string, idColumn: string) =>
  statement({
    takes: {},
    gives: { setval: surely(bigText) },
    text: `select setval(pg_get_serial_sequence('${table}', '${idColumn}'), (select max(${idColumn}) from ${table}))`,
  });
