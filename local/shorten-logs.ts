import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A shop that runs for months on a laptop must not fill its disk. */
const longEnoughBytes = 20_000_000;

/** Renames each long log; the one renamed before is deleted. */
export function shortenLogs(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith('.log') && statSync(file).size > longEnoughBytes) renameSync(file, `${file}.1`);
  }
}
