import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { z } from 'zod';
import { invalid, PosError } from '../../domain/errors.ts';
import { longestLine } from './lines.ts';
import type { CsvRow } from './import-kind.ts';

/** What was left out of some rows, for one reason. */
export interface LeftOut {
  /** What, and why. */
  what: string;
  rows: number;
  firstRow: number;
}

/** The progress of an import, kept beside its file until it is done. */
export interface ImportState {
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
 * Takes up where a killed run of the same file stopped; of another file, or a first run, at the beginning. So does a run
 * into another database, or one that takes the file for something else.
 *
 * Refused with 400: a file that cannot be read, is not in UTF-8, or has a line without an end.
 *
 * @param into which database, and what the rows are
 */
export async function openImport(file: string, into: string): Promise<ImportState> {
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

/** Nothing of a file in another encoding is saved: its letters would be lost without a word. So with one without lines. */
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
