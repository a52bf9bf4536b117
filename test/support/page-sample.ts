import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A TypeScript sample of a page. */
export interface Sample {
  /** Where a reader writes it: the last path that the page names before the sample. */
  file: string;
  code: string;
}

/** The samples of a page, in its order. */
export function samplesOf(page: string): Sample[] {
  const samples: Sample[] = [];
  let file: string | undefined;
  for (const [, path, code] of readFileSync(page, 'utf8').matchAll(/`([\w-]+\/[\w./-]+\.ts)`|```ts\n([\s\S]*?)```/g)) {
    file = path ?? file;
    if (code === undefined) continue;
    if (file === undefined) throw new Error(`${page} names no file for its first sample.`);
    samples.push({ file, code });
  }
  return samples;
}

/**
 * Writes the samples of pages into a folder anywhere, as if they stood in their files. Answers the path of the last.
 */
export function writeSamples(folder: string, ...pages: readonly string[]): string {
  const samples = pages.flatMap(samplesOf);
  const written = samples.map((_sample, at) => join(folder, `${at}.ts`));
  const placed = new Map(samples.map(({ file }, at) => [resolve(file), written[at] ?? '']));
  const found = (specifier: string, file: string) => {
    if (!specifier.startsWith('.')) return import.meta.resolve(specifier);
    const there = resolve(file, '..', specifier);
    return pathToFileURL(placed.get(there) ?? there).href;
  };
  for (const [at, { file, code }] of samples.entries())
    writeFileSync(
      written[at] ?? '',
      code.replaceAll(/from '([^']+)'/g, (_all, specifier) => `from '${found(specifier, file)}'`),
    );
  return written.at(-1) ?? '';
}

/** Loads the samples of a page. Answers what the last of them exports. */
export async function pageSample<Exports>(page: string): Promise<Exports> {
  const folder = mkdtempSync(join(tmpdir(), 'page-sample-'));
  try {
    return await import(pathToFileURL(writeSamples(folder, page)).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
