import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Only for the owner of the data. */
const ownerOnly = 0o600;

/**
 * Writes a file completely or not at all, even when the process or the machine ends meanwhile: into another file, to
 * the disk, then into its place. Throws where that fails; the file is then unchanged.
 */
export function writeStateFile(file: string, text: string): void {
  const aside = `${file}.new`;
  try {
    writeFileSync(aside, text, { mode: ownerOnly, flush: true });
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
