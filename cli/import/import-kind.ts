import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { refusalOf } from '../../api/wire/refusal-of.ts';
import { invalid } from '../../domain/errors.ts';

/** A row of a CSV file by column name in lower case. An empty cell is an empty text. */
export type CsvRow = Readonly<Record<string, string>>;

/** The systems whose exports are read as they are. */
export const origins = ['platform', 'shopify', 'woocommerce', 'square'] as const;
export type Origin = (typeof origins)[number];

/** How days are written beside `2030-12-31`. */
export const dayOrders = ['mdy', 'dmy'] as const;
export type DayOrder = (typeof dayOrders)[number];

export interface ImportOptions {
  from?: Origin | undefined;
  /** Columns that no attribute has become attributes of products. */
  newAttributes?: boolean | undefined;
  /** The source of stock where the quantities of a list of products lie. */
  source?: string | undefined;
  dates?: DayOrder | undefined;
}

/** What becomes of a row. */
export type Reading =
  | {
      /** Rows with one key are saved one after the other, so that the last one counts. */
      key: string;
      /**
       * One transaction; a repeat leaves the same record. Refused with `PosError`.
       *
       * @returns what of the row was left out, and why
       */
      save: (em: EntityManager) => Promise<readonly string[]>;
    }
  /** Why no record is made of it. */
  | { leftOut: string };

/** A file whose columns are understood. */
export interface OpenImport {
  /** Columns of which nothing is made, and why. */
  leftOut: ReadonlyMap<string, string>;
  /** Rows come in their order: one may speak of the row before it. Refused with `PosError`. */
  read: (row: CsvRow) => Reading;
}

/** How rows of one kind become records. */
export interface ImportKind {
  /** The columns that every file must have. */
  columns: readonly string[];
  /** Refused with 400: a column that has no meaning, before anything is saved. */
  open: (em: EntityManager, columns: readonly string[], options: ImportOptions) => Promise<OpenImport>;
}

/** How the export of another system becomes rows of ours. */
export interface Form {
  /** The columns by which the export is known, each under its names in the course of time. */
  columns: readonly (readonly string[])[];
  /** The columns that its rows have here. */
  gives: readonly string[];
  /** Why nothing is made of a column; undefined: something is. */
  leftOut: (column: string) => string | undefined;
  /** Rows come in their order. Refused with `PosError`. */
  read: (row: CsvRow) => CsvRow | { leftOut: string };
}

/** The cell's text; undefined when it is empty, because an empty cell changes nothing. */
export const cell = (row: CsvRow, column: string) => {
  const value = row[column];
  return value === undefined || value === '' ? undefined : value;
};

/** The first of some columns that has a text. */
export const firstCell = (row: CsvRow, ...columns: string[]) =>
  columns.map((column) => cell(row, column)).find((value) => value !== undefined);

export const wrongCell = (column: string, value: unknown) => invalid('%1 cannot be "%2".', [column, value]);

/**
 * Reads a row as its route reads a body, by the route's schema: lengths and ranges are the same. Refused with 400, in the
 * names of the columns.
 *
 * @param columnOf the column of a field, where it has another name
 */
export function asSent<Schema extends z.ZodType>(
  schema: Schema,
  body: object,
  columnOf: Readonly<Record<string, string>> = {},
): z.output<Schema> {
  const read = schema.safeParse(body, { reportInput: true });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.findLast((key): key is string => typeof key === 'string') ?? '';
  const isWrongType = issue?.code === 'custom' && issue.params?.['type'] !== undefined;
  if (isWrongType || issue?.code === 'invalid_value') throw wrongCell(columnOf[field] ?? field, issue.input);
  throw refusalOf(read.error.issues, body);
}
