import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** For the owner of the data only. */
const ownerOnly = 0o600;

/**
 * Writes a file whole or not at all, whatever ends the process or the machine meanwhile: aside, down to the disk, then
 * in its place. Throws where that cannot be done; the file is then as it was.
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
