import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeStateFile } from './state-file.ts';

const keyBytes = 32;

/** The key that encrypts provider keys: made once, because a new one could not read older values. */
export function keepSecretKey(dataDir: string): string {
  const file = join(dataDir, 'secret-key');
  if (!existsSync(file)) writeStateFile(file, randomBytes(keyBytes).toString('base64'));
  return readFileSync(file, 'utf8').trim();
}
