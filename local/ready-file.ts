import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Tokens } from './secrets.ts';
import { writeSecret } from './secrets.ts';

/** Where everything is, for tools. What is not ours to start, and not told by a setting, is null. */
export interface Ready extends Tokens {
  api: string;
  openapi: string;
  docs: string;
  temporal: string;
  temporalNamespace: string;
  temporalUi: string | null;
  gateway: string;
  license: string;
  mail: string | null;
  database: string;
  metrics: string;
}

const fileIn = (dataDir: string) => join(dataDir, 'ready.json');

/** Written when all of it answers; it holds tokens, so it is for the owner only. */
export const writeReadyFile = (dataDir: string, ready: Ready) =>
  writeSecret(fileIn(dataDir), `${JSON.stringify(ready, null, 2)}\n`);

export const removeReadyFile = (dataDir: string) => rmSync(fileIn(dataDir), { force: true });
