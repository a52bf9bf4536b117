import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
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

/** Continues a killed run of the same file. A changed file, or a first run, starts at the beginning. */
export async function openImport(file: string): Promise<ImportState> {
  const digest = await digestOf(file);
  const noteFile = `${file}.progress.json`;
  const refusedFile = `${file}.refused.csv`;
  const known = await readNote(noteFile);
  const { rows, refused, ...former } = known?.digest === digest ? known : { rows: 0, refused: 0, refusedBytes: 0 };
  let { refusedBytes } = former;
  // Rows refused after the last note are refused again.
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

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    throw invalid('"%1" cannot be read: %2', [file, error instanceof Error ? error.message : String(error)]);
  }
  return hash.digest('hex');
}
