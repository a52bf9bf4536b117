import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { databaseMark } from '../../db/support/database-mark.ts';
import type { ImportKind } from './import-kind.ts';
import { openImport, type ImportState } from './import-state.ts';
import { readRows, type ReadRow } from './read-rows.ts';

export interface Imported {
  rows: number;
  refused: number;
  /** The row at which an earlier run stopped. */
  resumedAfter: number;
  /** The file of refused rows, with the reasons. */
  refusedFile: string;
}

/** Rows saved at the same time: enough to keep the database busy, and few in memory. */
const atOnce = 8;
/** Rows between two notes of progress. A killed run repeats at most as many. */
const rowsPerNote = 400;
const tellEveryMs = 2_000;

interface Imports {
  em: () => EntityManager;
  /** What the rows are: `products`. */
  what: string;
  kind: ImportKind;
  file: string;
  say: (line: string) => void;
}

/**
 * Saves a CSV file row by row. A refused row goes to a file beside it, with the reason, and the import goes on.
 *
 * Safe to repeat: every row leaves the same record. Progress is noted beside the file. After a kill the next run goes on
 * from there, unless the file, the database or the kind of rows has changed. A fault of the database ends the run.
 *
 * Refused with 400: a file that cannot be read, one that is not in UTF-8, a missing column.
 */
export async function importFile({ em, what, kind, file, say }: Imports): Promise<Imported> {
  const state = await openImport(file, `${what} into ${await databaseMark(em())}\n`);
  const resumedAfter = state.rows;
  if (resumedAfter > 0) say(`going on after row ${resumedAfter}`);
  let toldAt = performance.now();
  let at = 0;
  let waiting = new Map<string, Numbered>();
  const flush = async () => {
    const taken = [...waiting.values()];
    waiting = new Map();
    await saveAll(taken, { em, kind, state });
    state.rows = at;
    if (at % rowsPerNote < atOnce) await state.note();
    if (performance.now() - toldAt > tellEveryMs) {
      say(`${at} rows, ${state.refused} refused`);
      toldAt = performance.now();
    }
  };
  for await (const { row, fault } of readRows(file, kind.columns)) {
    if (at < resumedAfter) {
      at++;
      continue;
    }
    const key = kind.keyOf(row);
    if (waiting.has(key)) await flush();
    at++;
    waiting.set(key, { row, fault, number: at });
    if (waiting.size === atOnce) await flush();
  }
  await flush();
  await state.done();
  return { rows: at, refused: state.refused, resumedAfter, refusedFile: state.refusedFile };
}

interface Numbered extends ReadRow {
  number: number;
}

async function saveAll(
  rows: readonly Numbered[],
  { em, kind, state }: Pick<Imports, 'em' | 'kind'> & { state: ImportState },
): Promise<void> {
  const reasons = await Promise.all(rows.map(async ({ row, fault }) => fault ?? reasonOf(kind.save(em(), row))));
  for (const [index, reason] of reasons.entries()) {
    const numbered = rows[index];
    if (numbered && reason !== undefined) await state.refuse(numbered.row, numbered.number, reason);
  }
}

/** The reason of a refusal. Any other error is thrown and ends the run. */
async function reasonOf(saved: Promise<void>): Promise<string | undefined> {
  try {
    await saved;
    return undefined;
  } catch (error) {
    if (error instanceof PosError && error.status < 500) return inWords(error.refusal);
    throw error;
  }
}
