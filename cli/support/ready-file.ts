import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const readySchema = z.object({
  api: z.string(),
  temporal: z.string(),
  temporalNamespace: z.string().default('pos'),
  temporalUi: z.string().nullish(),
  gateway: z.string().nullish(),
  license: z.string().nullish(),
  mail: z.string().nullish(),
  database: z.string(),
  settings: z.record(z.string(), z.string()).default({}),
});

/** The addresses of all parts of a running `npm start`. */
export type ReadyFile = z.output<typeof readySchema>;

/** The file that `npm start` writes once every part answers; undefined when none runs here. */
export function readReadyFile(dataDir: string): ReadyFile | undefined {
  const file = join(dataDir, 'ready.json');
  if (!existsSync(file)) return undefined;
  const parsed = readySchema.safeParse(parse(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data : undefined;
}

/** A file that is just being written counts as missing. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
