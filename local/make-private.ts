import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownFiles } from './own-files.ts';

/** Makes files that an earlier release left readable private to their owner, like those written today. */
export function makePrivate(dataDir: string): void {
  // PostgreSQL protects its own files, and may run as another user.
  for (const name of ownFiles) if (name !== 'postgres') close(join(dataDir, name));
}

/** A link or a missing file is skipped. */
function close(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) chmodSync(path, 0o600);
  if (!found?.isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) close(join(path, name));
}
