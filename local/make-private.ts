import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownFiles } from './own-files.ts';

/** What an earlier release left open to others is for the owner only, like what is written today. */
export function makePrivate(dataDir: string): void {
  // PostgreSQL keeps its own private, and may be another user.
  for (const name of ownFiles) if (name !== 'postgres') close(join(dataDir, name));
}

/** What is a link, or not there, is left alone. */
function close(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) chmodSync(path, 0o600);
  if (!found?.isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) close(join(path, name));
}
