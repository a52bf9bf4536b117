import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import Papa from 'papaparse';
import { z } from 'zod';
import { sourceItemPayload } from '../../api/platform/inventory/source-item-payload.ts';
import { storedSku } from '../../db/platform/catalog/read-products.ts';
import { existingSources, setSourceItems } from '../../db/platform/inventory/source-items.ts';
import { troubleOf } from '../../db/support/connections/database-trouble.ts';
import { databaseMark } from '../../db/support/database-mark.ts';
import { transact } from '../../db/support/transact.ts';
import { invalid, noSuchProduct, PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { none } from '../../domain/money.ts';
import { skuKey } from '../../domain/platform/catalog/tier-rows.ts';
import { readAhead, type RowsAhead } from './read-ahead.ts';
import {
  asSent,
  cell,
  countOf,
  longestLine,
  openRows,
  wrongCell,
  type CsvRow,
  type ImportKind,
  type ImportOptions,
  type OpenImport,
  type Reading,
} from './read-rows.ts';

/** What was left out of some rows, for one reason. */
export interface LeftOut {
  /** What, and why. */
  what: string;
  rows: number;
  firstRow: number;
}

/** The progress of an import, kept beside its file until it is done. */
interface ImportState {
  rows: number;
  refused: number;
  /** Rows of which no record is made. */
  skipped: number;
  leftOut: Map<string, LeftOut>;
  refusedFile: string;
  refuse(row: CsvRow, number: number, reason: string): Promise<void>;
  leave(what: string, number: number): void;
  note(): Promise<void>;
  done(): Promise<void>;
}

const count = z.int().min(0);
const noted = z.object({
  ...{ digest: z.string(), rows: count, refused: count, skipped: count, refusedBytes: count },
  leftOut: z.array(z.object({ what: z.string(), rows: count, firstRow: count })),
});

const nothingYet = { rows: 0, refused: 0, skipped: 0, refusedBytes: 0, leftOut: [] };

/**
 * Takes up where a killed run of the same file stopped; of another file, or a first run, at the beginning. So does a
 * run into another database, or one that takes the file for something else.
 *
 * Refused with 400: a file that cannot be read, is not in UTF-8, or has a line without an end.
 *
 * @param into which database, and what the rows are
 */
async function openImport(file: string, into: string): Promise<ImportState> {
  const digest = await digestOf(file, into);
  const noteFile = `${file}.progress.json`;
  const refusedFile = `${file}.refused.csv`;
  const known = await readNote(noteFile);
  const former = known?.digest === digest ? known : nothingYet;
  let { refusedBytes } = former;
  // Rows that were refused after the note are refused once more.
  if (refusedBytes > (await sizeOf(refusedFile))) refusedBytes = 0; // Moved away or edited: what follows is a file of its own.
  if (refusedBytes === 0) await rm(refusedFile, { force: true });
  else await truncate(refusedFile, refusedBytes);
  const state: ImportState = {
    ...{ rows: former.rows, refused: former.refused, skipped: former.skipped, refusedFile },
    leftOut: new Map(former.leftOut.map((one) => [one.what, one])),
    async refuse(row, number, reason) {
      const line = { row: number, reason, ...row };
      const text = `${Papa.unparse([line], { header: refusedBytes === 0, escapeFormulae: true })}\n`;
      await appendFile(refusedFile, text);
      refusedBytes += Buffer.byteLength(text);
      state.refused++;
    },
    leave(what, number) {
      const known = state.leftOut.get(what);
      if (known) known.rows++;
      else state.leftOut.set(what, { what, rows: 1, firstRow: number });
    },
    async note() {
      const { rows, refused, skipped } = state;
      const text = JSON.stringify({
        digest,
        rows,
        refused,
        skipped,
        refusedBytes,
        leftOut: [...state.leftOut.values()],
      });
      // Written to a second file and renamed, so that a kill never leaves half a note.
      await writeFile(`${noteFile}.new`, text);
      await rename(`${noteFile}.new`, noteFile);
    },
    done: () => rm(noteFile, { force: true }),
  };
  return state;
}

async function readNote(file: string): Promise<z.output<typeof noted> | undefined> {
  try {
    return noted.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Nothing of a file in another encoding is saved: its letters would be lost without a word. So with one without lines.
 */
async function digestOf(file: string, into: string): Promise<string> {
  const hash = createHash('sha256').update(into);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let length = 0;
  try {
    for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
      hash.update(bytes);
      decoder.decode(bytes, { stream: true });
      const ends = [bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r')];
      length = Math.max(...ends) < 0 ? length + bytes.length : bytes.length - Math.max(...ends);
      if (length > longestLine) throw invalid('"%1" has a line of more than %2 characters.', [file, longestLine]);
    }
    decoder.decode();
  } catch (error) {
    if (error instanceof PosError) throw error;
    if (error instanceof TypeError)
      throw invalid('"%1" is not in UTF-8; save it as CSV in UTF-8. Nothing was changed.', [file]);
    throw invalid('"%1" cannot be read: %2', [file, error instanceof Error ? error.message : String(error)]);
  }
  return hash.digest('hex');
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}

const own: ReadonlySet<string> = new Set(['sku', 'source', 'source_code', 'quantity', 'status']);

const columnOf = { sourceCode: 'source' };

/**
 * Imports quantities in stock, as absolute figures, by the schema of their route. `status` 1 or 0: for sale or not.
 * Without it: for sale when the quantity is positive. The platform's `source_code` is the `source`.
 */
export const stock: ImportKind = {
  columns: ['sku', 'quantity'],
  async open(_em, columns, options) {
    if (!columns.includes('source') && !columns.includes('source_code'))
      throw invalid('The first line has no column %1.', ['source']);
    const others = columns.filter((column) => !own.has(column));
    return {
      leftOut: new Map(others.map((column) => [column, 'no part of a quantity in stock'])),
      read(row) {
        const sourceCode = cell(row, 'source') ?? cell(row, 'source_code');
        const { sku = '', ...item } = asSent(
          sourceItemPayload,
          { sku: row['sku'], sourceCode, quantity: cell(row, 'quantity'), status: cell(row, 'status') },
          columnOf,
        );
        const { sourceCode: source = '' } = item;
        const { quantity, notes } = countOf(item.quantity, { column: 'quantity', text: row['quantity'], options });
        const { status = quantity > none ? 1 : 0 } = item;
        if (status !== 0 && status !== 1) throw wrongCell('status', row['status']);
        return {
          key: `${skuKey(sku)}\n${source}`,
          claim: `${quantity} ${status}`,
          async save(em) {
            if (!(await existingSources(em, [source])).has(source))
              throw invalid('No source has the code %1.', [source]);
            const stored = await storedSku(em, sku);
            if (stored === undefined) throw noSuchProduct(sku);
            const lying = { sku: stored, sourceCode: source, quantity, status };
            await transact(em, (tx) => setSourceItems(tx, [lying]));
            return notes;
          },
        };
      },
    };
  },
};

/** Rows saved at the same time: enough to keep the database busy, and few in memory. */
const atOnce = 8;
/** Rows between two notes of progress. A killed run repeats at most as many. */
const rowsPerNote = 400;
const tellEveryMs = 2_000;
/** How often a row is tried alone that fails for another reason than what is in it, such as a lock. */
const mostTries = 4;
const longestPauseMs = 30_000;

interface Imports {
  em: () => EntityManager;
  /** What the rows are: `products`. */
  what: string;
  kind: ImportKind;
  file: string;
  options: ImportOptions;
  say: (line: string) => void;
  /** The first pause while the database is away; each next one is twice as long. */
  pauseMs?: number;
}

/**
 * Saves a CSV file row by row. A refused row goes to a file beside it, with its number and the reason, and the import
 * goes on. Only the operator ends it: while the database is away it waits, and a row that fails for any other reason is
 * tried alone and then refused.
 *
 * Safe to repeat: every row leaves the same record. Progress is noted beside the file. After a kill the next run goes
 * on from there, unless the file, the database, the kind of rows or an option has changed.
 *
 * Refused with 400, before anything is saved: a file that cannot be read, one that is not in UTF-8, a missing column,
 * one that has no meaning.
 */
export async function importFile(imports: Imports): Promise<ImportState> {
  const { em, what, kind, file, options, say } = imports;
  const state = await openImport(file, `${what} ${JSON.stringify(options)} into ${await databaseMark(em())}\n`);
  const { columns, rows } = await openRows(file);
  const missing = kind.columns.filter((column) => !columns.includes(column));
  if (missing.length > 0) throw invalid('The first line has no column %1.', [missing.join(', ')]);
  await rows.return(undefined);
  const open = await kind.open(em(), columns, options);
  const ahead = await readAhead(file, open);
  const resumedAfter = state.rows;
  if (resumedAfter > 0) say(`going on after row ${resumedAfter}`);
  await saveRows({ ...imports, state, open, ahead, isLate: false });
  if (ahead.hasLate) await saveRows({ ...imports, state, open, ahead, isLate: true });
  state.rows = ahead.rows;
  await state.done();
  return state;
}

/** One reading of the file: the rows that are saved first, or those that need them. */
interface RowsToSave extends Imports {
  state: ImportState;
  open: OpenImport;
  ahead: RowsAhead;
  isLate: boolean;
}

/** Saves the rows after the noted one. Rows of the second reading are counted on from those of the first. */
async function saveRows({ isLate, open, ahead, state, ...imports }: RowsToSave): Promise<void> {
  const { file, say } = imports;
  const before = isLate ? ahead.rows : 0;
  const resumedAfter = state.rows - before;
  let reportedAt = performance.now();
  let at = 0;
  let waiting: Numbered[] = [];
  const flush = async () => {
    const taken = waiting;
    if (taken.length === 0) return;
    waiting = [];
    await saveAll(taken, { ...imports, state });
    state.rows = before + at;
    if (at % rowsPerNote < atOnce) await state.note();
    if (performance.now() - reportedAt > tellEveryMs) {
      say(`${at} rows, ${state.refused} refused`);
      reportedAt = performance.now();
    }
  };
  open.begin?.();
  for await (const { row, fault } of (await openRows(file)).rows) {
    const reading = fault === undefined ? readingOf(open, row, ahead) : { fault };
    const isOfWaiting =
      'key' in reading && waiting.some((one) => 'key' in one.reading && one.reading.key === reading.key);
    if (isOfWaiting) await flush();
    at++;
    if (at <= resumedAfter || isLateReading(reading) !== isLate) continue;
    waiting.push({ row, reading, number: at, cells: cellsLeftOut(open, row) });
    if (waiting.length === atOnce) await flush();
  }
  await flush();
}

const isLateReading = (reading: Numbered['reading']) => 'key' in reading && reading.isLate === true;

interface Numbered {
  row: CsvRow;
  number: number;
  reading: Reading | { fault: string };
  /** What of the row has no meaning here. */
  cells: readonly string[];
}

const cellsLeftOut = ({ leftOut }: OpenImport, row: CsvRow) =>
  [...leftOut].flatMap(([column, why]) => (row[column] ? [`${column}: ${why}`] : []));

function readingOf(open: OpenImport, row: CsvRow, ahead: RowsAhead): Reading | { fault: string } {
  try {
    const reading = open.read(row);
    const fault = ahead.contradiction(reading);
    return fault === undefined ? reading : { fault };
  } catch (error) {
    return { fault: reasonOf(error) };
  }
}

/** What became of a row: a reason to refuse it, or what was left out of it. */
type Outcome = { refused: string } | { skipped: string } | { leftOut: readonly string[] };

async function saveAll(rows: readonly Numbered[], input: Imports & { state: ImportState }): Promise<void> {
  const { em, state } = input;
  const outcomes = await Promise.all(
    rows.map(async ({ reading }): Promise<Outcome | undefined> => {
      if ('fault' in reading) return { refused: reading.fault };
      if ('leftOut' in reading) return { skipped: reading.leftOut };
      const own = em();
      return tryOnce(reading.save, own).catch(() => undefined);
    }),
  );
  for (const [index, numbered] of rows.entries()) {
    const { reading, row, number, cells } = numbered;
    const outcome = outcomes[index] ?? ('save' in reading ? await tryAlone(reading.save, input) : undefined);
    if (!outcome) continue;
    if ('refused' in outcome) await state.refuse(row, number, outcome.refused);
    else if ('skipped' in outcome) state.skipped++;
    if ('skipped' in outcome) state.leave(outcome.skipped, number);
    else if ('leftOut' in outcome) for (const what of [...cells, ...outcome.leftOut]) state.leave(what, number);
  }
}

/** Throws what the row is not to blame for. */
async function tryOnce(save: (em: EntityManager) => Promise<readonly string[]>, em: EntityManager): Promise<Outcome> {
  try {
    return { leftOut: await save(em) };
  } catch (error) {
    if (error instanceof PosError && error.status < 500) return { refused: reasonOf(error) };
    throw error;
  }
}

/** Rows that collided at the same time do not collide alone. */
async function tryAlone(
  save: (em: EntityManager) => Promise<readonly string[]>,
  { em, say, pauseMs = 1_000 }: Imports,
): Promise<Outcome> {
  for (let tries = 1, away = 0; ;) {
    const own = em();
    try {
      return await tryOnce(save, own);
    } catch (error) {
      if (isAway(error)) {
        if (away === 0) say('the database does not answer; the import goes on when it does');
        await pause(Math.min(pauseMs * 2 ** away++, longestPauseMs));
      } else if (tries++ >= mostTries) return { refused: reasonOf(error) };
      else if (troubleOf(error) !== undefined) await pause(pauseMs * 2 ** tries);
    }
  }
}

/** 08001 has other names where nothing listens. */
const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']);

function isAway(error: unknown): boolean {
  const trouble = troubleOf(error);
  if (trouble !== undefined) return trouble !== 'busy';
  if (error instanceof PosError) return error.status >= 500;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (unreachable.has(String(Reflect.get(cause, 'code')))) return true;
  return false;
}

const reasonOf = (error: unknown): string =>
  error instanceof PosError
    ? inWords(error.refusal)
    : `The row could not be saved: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`;
