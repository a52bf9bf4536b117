import { createReadStream } from 'node:fs';
import type { EntityManager } from '@mikro-orm/postgresql';
import Papa from 'papaparse';
import type { z } from 'zod';
import { refusalOf } from '../../api/wire/refusal-of.ts';
import { invalid } from '../../domain/errors.ts';
import { none, type Quantity } from '../../domain/money.ts';
import { isStorableText } from '../../domain/storable-text.ts';

/** The lines of a text, one after the other. */
interface Lines {
  /** Undefined: there are no more. */
  next(): Promise<string | undefined>;
  /** These come next, once more. */
  giveBack(lines: readonly string[]): void;
}

/** A line that is longer is no line of a CSV file. */
export const longestLine = 4_000_000;

/**
 * Cuts UTF-8 into lines, whatever ends them: `\n`, `\r\n` or `\r`. The mark that some programs set before the text is
 * left out, because it would hide the quote of the first cell.
 *
 * Refused with 400: a line of more than four million characters, bytes that are not UTF-8.
 */
function createLines(bytes: AsyncIterable<Uint8Array>): Lines {
  const ahead: string[] = [];
  const pieces = linesOf(bytes);
  return {
    async next() {
      const line = ahead.shift();
      if (line !== undefined) return line;
      const { value, done } = await pieces.next();
      return done ? undefined : value;
    },
    giveBack: (lines) => void ahead.unshift(...lines),
  };
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const some of bytes) {
    const text = rest + decodedBy(() => decoder.decode(some, { stream: true }));
    // The `\n` of a `\r\n` may come with the next bytes.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = whole.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + text.slice(whole.length);
    if (rest.length > longestLine) throw invalid('A line has more than %1 characters.', [longestLine]);
    yield* lines;
  }
  const last = rest + decodedBy(() => decoder.decode());
  if (last !== '') yield* last.replace(/\r$/, '').split(/\r\n|\n|\r/);
  return undefined;
}

function decodedBy(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw invalid('The file is not in UTF-8; save it as CSV in UTF-8.');
  }
}

/** A row, and why it cannot be taken as it stands. */
export interface ReadRow {
  row: CsvRow;
  fault?: string | undefined;
  /** The row has fewer cells than the first line: the others are empty. */
  isShort: boolean;
}

/** A CSV file whose first line was read. */
export interface CsvFile {
  /** In lower case. */
  columns: readonly string[];
  rows: AsyncGenerator<ReadRow>;
}

/** A cell of more lines, or of more text, was not closed where it should have been. */
const mostLines = 500;
const mostText = 1_000_000;

/**
 * Opens a CSV file in UTF-8, with commas, semicolons, tabs or bars between its cells, as Excel and other shops write
 * it. The file of refused rows is read as well: its row numbers and reasons are left out.
 *
 * Refused with 400: an empty file, a first line that cannot be read, a column that is there twice; while the rows are
 * read, bytes that are not UTF-8.
 */
export async function openRows(file: string): Promise<CsvFile> {
  const lines = createLines(createReadStream(file));
  const { first, delimiter } = await firstLine(lines);
  if (first === undefined) throw invalid('"%1" is empty.', [file]);
  const record = await recordFrom(first, { lines, delimiter });
  if (record.fault) throw invalid('The first line cannot be read: %1', [record.fault]);
  const columns = record.cells.map((name) => plain(name).toLowerCase());
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at);
  if (twice !== undefined) throw invalid('The first line has the column "%1" twice.', [twice]);
  const notes = columns[0] === 'row' && columns[1] === 'reason' ? 2 : 0;
  const named = columns.slice(notes);
  return { columns: named.filter((name) => name !== ''), rows: rowsOf({ lines, delimiter, columns: named, notes }) };
}

/** Excel may write `sep=;` before the names of the columns. */
async function firstLine(lines: Lines): Promise<{ first: string | undefined; delimiter: string }> {
  let first = await lines.next();
  while (first !== undefined && isBlank(first)) first = await lines.next();
  const separator = /^"?sep=(.)"?[,;]*$/i.exec(first?.trimEnd() ?? '')?.[1];
  if (separator === undefined) return { first, delimiter: delimiterOf(first ?? '') };
  do first = await lines.next();
  while (first !== undefined && isBlank(first));
  return { first, delimiter: separator };
}

/** The one that cuts the names of the columns into the most cells. */
function delimiterOf(first: string): string {
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: cut(first, delimiter).cells.length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}

const isBlank = (line: string) => line.trim() === '';

interface Cut {
  columns: readonly string[];
  lines: Lines;
  delimiter: string;
  /** How many cells before the row's own are notes of ours. */
  notes: number;
}

async function* rowsOf({ lines, delimiter, columns, notes }: Cut): AsyncGenerator<ReadRow> {
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
    if (isBlank(line)) continue;
    const { cells: all, fault } = await recordFrom(line, { lines, delimiter });
    const cells = (fault === undefined ? all.slice(notes) : all).map(plain);
    if (cells.every((one) => one === '')) continue;
    const row = Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']).filter(([name]) => name !== ''));
    yield { row, fault: fault ?? faultOf(cells, columns), isShort: cells.length < columns.length };
  }
}

/** A row that was cut up wrongly must not be saved: in `12,50` the price would be 12. */
function faultOf(cells: readonly string[], columns: readonly string[]): string | undefined {
  const extra = cells.slice(columns.length).filter((one) => one !== '');
  if (extra.length > 0) return `The row has more cells than the first line: "${extra.join('", "').slice(0, 200)}".`;
  const nameless = cells.find((one, at) => one !== '' && columns[at] === '');
  if (nameless !== undefined) return `The cell "${nameless.slice(0, 200)}" is in a column without a name.`;
  if (columns.every((name, at) => (cells[at] ?? '').toLowerCase() === name)) return 'The row is the first line again.';
  return cells.every(isStorableText) ? undefined : 'A cell has a character that is no text.';
}

const unclosed = 'A quote is opened and not closed. A quote within a cell is written twice.';
const backslash = 'A backslash stands before a quote. Write the quote twice instead.';

/**
 * The cells of one record, which may go over several lines. Of one whose quotes are wrong only its first line is taken,
 * with the reason: the lines after it are rows of their own.
 */
async function recordFrom(
  first: string,
  { lines, delimiter }: { lines: Lines; delimiter: string },
): Promise<{ cells: string[]; fault?: string }> {
  const taken = [first];
  for (let text = first; ;) {
    const { cells, wrong } = cut(text, delimiter);
    const swallowed = taken.length > 1 && hidesEnd(text, delimiter);
    if (wrong === undefined && !swallowed) return { cells };
    const next = wrong === 'MissingQuotes' ? await quotedLine({ lines, taken, length: text.length }) : undefined;
    if (next === undefined) {
      lines.giveBack(taken.slice(1));
      return { cells: [first], fault: first.includes('\\"') ? backslash : unclosed };
    }
    text = `${text}\n${next}`;
  }
}

/** The text up to the next line that has a quote: only there a cell can end. */
async function quotedLine({ lines, taken, length }: { lines: Lines; taken: string[]; length: number }) {
  const from = taken.length;
  for (let size = length; taken.length < mostLines && size < mostText;) {
    const line = await lines.next();
    if (line === undefined) return undefined;
    taken.push(line);
    size += line.length + 1;
    if (line.includes('"')) return taken.slice(from).join('\n');
  }
  return undefined;
}

/** Whether `\"` closed a cell for who wrote the file: a delimiter or the line's end follows, but the cell went on. */
const hidesEnd = (text: string, delimiter: string) =>
  text.split('\n').some((line) => line.includes(`\\""${delimiter}`) || line.endsWith('\\""'));

function cut(text: string, delimiter: string): { cells: string[]; wrong?: string } {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\n' });
  const quotes = errors.filter(({ type }) => type === 'Quotes').map(({ code }) => code);
  const wrong = quotes.find((code) => code !== 'MissingQuotes') ?? quotes[0];
  return { cells: data[0] ?? [], ...(wrong === undefined ? {} : { wrong }) };
}

/**
 * A cell as it is meant. Spreadsheets, and our file of refused rows, set a quote before what would be a formula; a
 * phone number begins so. Excel writes a long number as `="2000000001326"`, so that it keeps its digits.
 */
function plain(cell: string): string {
  const value = cell.trim();
  const text = /^="([^"]*)"$/.exec(value)?.[1];
  if (text !== undefined) return text.trim();
  return /^'[=+\-@]/.test(value) ? value.slice(1) : value;
}

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
      /** What the row speaks of, where it is not the key. */
      identity?: string;
      /**
       * What rows of one identity must agree on. Of rows that differ in it none is saved, because nothing says which is
       * right. Undefined: the row agrees with every other.
       */
      claim?: string | undefined;
      /** Needs the record that another row of the file makes: it is saved after all others. */
      isLate?: boolean;
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
  /** Called before the first row of each reading of the file. */
  begin?: () => void;
  /** Gets every row before the first is read, because a row may name what another one has. */
  learn?: (row: CsvRow) => void;
  /**
   * Rows come in their order: one may go on with the record of the row before it. A file is read more than once, so a
   * reading depends on the rows alone. Refused with `PosError`.
   */
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
  /** Each row is a good of its own, so two different rows with one SKU contradict each other. */
  areGoods?: boolean;
  /** Gets every row before the first is read, because a row may name what another one has. */
  learn?: (row: CsvRow) => void;
  /** Rows come in their order. Refused with `PosError`. */
  read: (row: CsvRow) => { cells: CsvRow; notes?: readonly string[] } | { leftOut: string };
}

export const giftCards = 'gift cards: pos giftcard create issues them';

/** The cell's text; undefined when it is empty, because an empty cell changes nothing. */
export const cell = (row: CsvRow, column: string) => {
  const value = row[column];
  return value === undefined || value === '' ? undefined : value;
};

/** The first of some columns that has a text. */
export const firstCell = (row: CsvRow, ...columns: string[]) =>
  columns.map((column) => cell(row, column)).find((value) => value !== undefined);

/**
 * A quantity in stock. Other systems go below zero where they sold more than they counted; here it begins at 0 then,
 * with a note. Refused with 400: no quantity, or one below zero in a file that a person wrote.
 */
export function countOf(
  quantity: Quantity | undefined,
  { column, text, options }: { column: string; text: string | undefined; options: ImportOptions },
): { quantity: Quantity; notes: readonly string[] } {
  if (quantity !== undefined && quantity >= none) return { quantity, notes: [] };
  if (quantity === undefined || !options.from) throw wrongCell(column, text);
  return { quantity: none, notes: [`${column}: it is below zero there and imported as 0`] };
}

export const wrongCell = (column: string, value: unknown) => invalid('%1 cannot be "%2".', [column, value]);

/**
 * Reads a row as its route reads a body, by the route's schema: lengths and ranges are the same. Refused with 400, in
 * the names of the columns.
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
