import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Loads the TypeScript samples of a page as if they stood in these files, which are not there. Answers what the last of
 * them exports.
 *
 * @param files one for each sample, in the order of the page
 */
export async function pageSample<Sample>(page: string, ...files: readonly string[]): Promise<Sample> {
  const samples = [...readFileSync(page, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  if (samples.length !== files.length) throw new Error(`${page} has ${samples.length} samples, not ${files.length}.`);
  const folder = mkdtempSync(join(tmpdir(), 'page-sample-'));
  try {
    const written = files.map((_file, at) => join(folder, `${at}.ts`));
    const placed = new Map(files.map((file, at) => [resolve(file), written[at] ?? '']));
    const found = (specifier: string, file: string) => {
      if (!specifier.startsWith('.')) return import.meta.resolve(specifier);
      const there = resolve(file, '..', specifier);
      return pathToFileURL(placed.get(there) ?? there).href;
    };
    for (const [at, file] of files.entries())
      writeFileSync(
        written[at] ?? '',
        (samples[at] ?? '').replaceAll(/from '([^']+)'/g, (_all, specifier) => `from '${found(specifier, file)}'`),
      );
    return await import(pathToFileURL(written.at(-1) ?? '').href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
