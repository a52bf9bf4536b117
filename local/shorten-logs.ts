import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A shop that runs for months on a laptop shall not fill it. */
const longEnoughBytes = 20_000_000;

/** Puts each log that has grown long aside; the one put aside before goes. */
export function shortenLogs(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith('.log') && statSync(file).size > longEnoughBytes) renameSync(file, `${file}.1`);
  }
}
