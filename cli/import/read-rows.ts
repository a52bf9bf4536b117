import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import Papa from 'papaparse';
import { isStorableText } from '../../domain/storable-text.ts';
import { invalid } from '../../domain/errors.ts';
import type { CsvRow } from './import-kind.ts';

/** A row, and why it cannot be taken as it stands. */
export interface ReadRow {
  row: CsvRow;
  fault?: string | undefined;
}

/**
 * The rows of a CSV file. The file of refused rows is read as well: its row numbers and reasons are left out.
 *
 * Refused with 400: a column is missing.
 */
export async function* readRows(file: string, columns: readonly string[]): AsyncGenerator<ReadRow> {
  const parser = Papa.parse(Papa.NODE_STREAM_INPUT, {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim().toLowerCase(),
    transform: (value) => unescaped(value.trim()),
  });
  const stream = Readable.from(textOf(file));
  stream.on('error', (error) => parser.destroy(error));
  stream.pipe(parser);
  let width = 0;
  for await (const read of parser as AsyncIterable<ParsedRow>) {
    const { [extraCells]: extra, ...cells } = read;
    const row = withoutNotes(cells);
    if (width === 0) {
      const missing = columns.filter((column) => !Object.hasOwn(row, column));
      if (missing.length > 0) throw invalid('The first line has no column %1.', [missing.join(', ')]);
      width = Object.keys(cells).length;
    }
    yield { row, fault: faultOf(cells, { extra, width }) };
  }
}

/** Where Papa Parse puts the cells of a row that the first line has no column for. */
const extraCells = '__parsed_extra';
type ParsedRow = Record<string, string> & { [extraCells]?: readonly string[] };

/** Text of UTF-8 without the mark that some programs set before it, which would hide the quote of the first column. */
async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of createReadStream(file)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

/** Spreadsheets, and our file of refused rows, set a quote before what would be a formula; a phone number begins so. */
const unescaped = (value: string) => (/^'[=+\-@]/.test(value) ? value.slice(1) : value);

/** The two columns that the file of refused rows has before its own. */
function withoutNotes(cells: Record<string, string>): CsvRow {
  const [first, second] = Object.keys(cells);
  if (first !== 'row' || second !== 'reason') return cells;
  const { row: _number, reason: _reason, ...own } = cells;
  return own;
}

/** A row that was cut up wrongly must not be saved: in `12,50` the price would be 12. */
function faultOf(
  cells: Record<string, string>,
  { extra, width }: { extra: readonly string[] | undefined; width: number },
): string | undefined {
  const values = Object.values(cells);
  if (extra) return `The row has more cells than the first line: "${extra.join('", "').slice(0, 200)}".`;
  if (values.length < width && values.at(-1)?.includes('\n')) return 'A quote is opened and not closed.';
  return values.every(isStorableText) ? undefined : 'A cell has a character that is no text.';
}
