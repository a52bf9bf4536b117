import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { databaseMark } from '../../db/support/database-mark.ts';
import { troubleOf } from '../../db/support/connections/database-trouble.ts';
import { invalid, PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import type { CsvRow, ImportKind, ImportOptions, OpenImport, Reading } from './import-kind.ts';
import { openImport, type ImportState } from './import-state.ts';
import { openRows } from './read-rows.ts';

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
 * Saves a CSV file row by row. A refused row goes to a file beside it, with its number and the reason, and the import goes
 * on. Only the operator ends it: while the database is away it waits, and a row that fails for any other reason is tried
 * alone and then refused.
 *
 * Safe to repeat: every row leaves the same record. Progress is noted beside the file. After a kill the next run goes on
 * from there, unless the file, the database, the kind of rows or an option has changed.
 *
 * Refused with 400, before anything is saved: a file that cannot be read, one that is not in UTF-8, a missing column, one
 * that has no meaning.
 */
export async function importFile(imports: Imports): Promise<ImportState> {
  const { em, what, kind, file, options, say } = imports;
  const state = await openImport(file, `${what} ${JSON.stringify(options)} into ${await databaseMark(em())}\n`);
  const { columns, rows } = await openRows(file);
  const missing = kind.columns.filter((column) => !columns.includes(column));
  if (missing.length > 0) throw invalid('The first line has no column %1.', [missing.join(', ')]);
  const open = await kind.open(em(), columns, options);
  const resumedAfter = state.rows;
  if (resumedAfter > 0) say(`going on after row ${resumedAfter}`);
  let toldAt = performance.now();
  let at = 0;
  let waiting: Numbered[] = [];
  const flush = async () => {
    const taken = waiting;
    waiting = [];
    await saveAll(taken, { ...imports, state });
    state.rows = at;
    if (at % rowsPerNote < atOnce) await state.note();
    if (performance.now() - toldAt > tellEveryMs) {
      say(`${at} rows, ${state.refused} refused`);
      toldAt = performance.now();
    }
  };
  for await (const { row, fault } of rows) {
    const reading = fault === undefined ? readingOf(open, row) : { fault };
    if (at < resumedAfter) {
      at++;
      continue;
    }
    if ('key' in reading && waiting.some((one) => 'key' in one.reading && one.reading.key === reading.key))
      await flush();
    at++;
    waiting.push({ row, reading, number: at, cells: cellsLeftOut(open, row) });
    if (waiting.length === atOnce) await flush();
  }
  await flush();
  await state.done();
  return state;
}

interface Numbered {
  row: CsvRow;
  number: number;
  reading: Reading | { fault: string };
  /** What of the row has no meaning here. */
  cells: readonly string[];
}

const cellsLeftOut = ({ leftOut }: OpenImport, row: CsvRow) =>
  [...leftOut].flatMap(([column, why]) => (row[column] ? [`${column}: ${why}`] : []));

function readingOf(open: OpenImport, row: CsvRow): Reading | { fault: string } {
  try {
    return open.read(row);
  } catch (error) {
    return { fault: reasonOf(error) };
  }
}

/** What became of a row: a reason to refuse it, or what was left out of it. */
type Outcome = { refused: string } | { skipped: string } | { leftOut: readonly string[] };

async function saveAll(rows: readonly Numbered[], given: Imports & { state: ImportState }): Promise<void> {
  const { em, state } = given;
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
    const outcome = outcomes[index] ?? ('save' in reading ? await tryAlone(reading.save, given) : undefined);
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
