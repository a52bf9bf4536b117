import type { EntityManager } from '@mikro-orm/postgresql';

/** A row of a CSV file by the names of its columns, in small letters; empty cells are empty texts. */
export type CsvRow = Readonly<Record<string, string>>;

/** How rows of one kind become records. */
export interface ImportKind {
  /** Columns without which nothing can be read. */
  columns: readonly string[];
  /** Rows with one key are saved one after the other, so that the last one counts. */
  keyOf: (row: CsvRow) => string;
  /** One transaction; a repeat leaves the same record. Refused with `PosError`. */
  save: (em: EntityManager, row: CsvRow) => Promise<void>;
}

/** The cell, or undefined where it is empty: what is not said stays as it is. */
export const cell = (row: CsvRow, column: string) => {
  const value = row[column];
  return value === undefined || value === '' ? undefined : value;
};
