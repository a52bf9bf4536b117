import type { EntityManager } from '@mikro-orm/postgresql';

/** A row of a CSV file by column name in lower case. An empty cell is an empty text. */
export type CsvRow = Readonly<Record<string, string>>;

/** How rows of one kind become records. */
export interface ImportKind {
  /** The columns that every file must have. */
  columns: readonly string[];
  /** Rows with one key are saved one after the other, so that the last one counts. */
  keyOf: (row: CsvRow) => string;
  /** One transaction; a repeat leaves the same record. Refused with `PosError`. */
  save: (em: EntityManager, row: CsvRow) => Promise<void>;
}

/** The cell's text; undefined when it is empty, because an empty cell changes nothing. */
export const cell = (row: CsvRow, column: string) => {
  const value = row[column];
  return value === undefined || value === '' ? undefined : value;
};
