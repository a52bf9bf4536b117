import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/**
 * Whether Node was started with this module, and did not import it. As `import.meta.main`, which Node has from 24.2 on:
 * under an older one a program that asks for that does nothing, and its exit code is 0.
 */
export function isEntryPoint({ url }: Pick<ImportMeta, 'url'>): boolean {
  const [, program] = process.argv;
  if (program === undefined || !isMainThread) return false;
  try {
    // As Node finds the file of `node dist/db/migrate`: the ending may be left out, and links are followed.
    return pathToFileURL(createRequire(url).resolve(resolve(program))).href === url;
  } catch {
    return false;
  }
}
