import type { SearchField, SearchType } from './search-condition.ts';

/** Makes fields of one type, each under its column's own name, for a table under an alias. */
export const fieldsOfTable =
  (alias: string, isNullable: (column: string) => boolean) =>
  (type: SearchType, columns: readonly string[]): [string, SearchField][] =>
    columns.map((column) => [column, { column: `${alias}.${column}`, type, isNullable: isNullable(column) }]);
