import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { z } from 'zod';
import { invalid } from '../../domain/errors.ts';
import type { CsvRow } from './import-kind.ts';

/** The progress of an import, kept beside its file until it is done. */
export interface ImportState {
  rows: number;
  refused: number;
  refusedFile: string;
  refuse(row: CsvRow, number: number, reason: string): Promise<void>;
  note(): Promise<void>;
  done(): Promise<void>;
}

const noted = z.object({
  digest: z.string(),
  rows: z.int().min(0),
  refused: z.int().min(0),
  refusedBytes: z.int().min(0),
});

/**
 * Takes up where a killed run of the same file stopped; of another file, or a first run, at the beginning. So does a run
 * into another database, or one that takes the file for something else.
 *
 * Refused with 400: a file that cannot be read, or is not in UTF-8.
 *
 * @param into which database, and what the rows are
 */
export async function openImport(file: string, into: string): Promise<ImportState> {
  const digest = await digestOf(file, into);
  const noteFile = `${file}.progress.json`;
  const refusedFile = `${file}.refused.csv`;
  const known = await readNote(noteFile);
  const { rows, refused, ...former } = known?.digest === digest ? known : { rows: 0, refused: 0, refusedBytes: 0 };
  let { refusedBytes } = former;
  // Rows that were refused after the note are refused once more.
  if (refusedBytes > (await sizeOf(refusedFile))) refusedBytes = 0; // Moved away or edited: what follows is a file of its own.
  if (refusedBytes === 0) await rm(refusedFile, { force: true });
  else await truncate(refusedFile, refusedBytes);
  const state: ImportState = {
    rows,
    refused,
    refusedFile,
    async refuse(row, number, reason) {
      const line = { row: number, reason, ...row };
      const text = `${Papa.unparse([line], { header: refusedBytes === 0, escapeFormulae: true })}\n`;
      await appendFile(refusedFile, text);
      refusedBytes += Buffer.byteLength(text);
      state.refused++;
    },
    async note() {
      const text = JSON.stringify({ digest, rows: state.rows, refused: state.refused, refusedBytes });
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

/** Nothing of a file in another encoding is saved: its letters would be lost without a word. */
async function digestOf(file: string, into: string): Promise<string> {
  const hash = createHash('sha256').update(into);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of createReadStream(file)) {
      hash.update(bytes);
      decoder.decode(bytes, { stream: true });
    }
    decoder.decode();
  } catch (error) {
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
