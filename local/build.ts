import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withLock } from './with-lock.ts';
import { isEntryPoint } from '../db/support/is-entry-point.ts';

/**
 * `npm run build` writes `dist/`: the product as plain JavaScript, with every file that it reads, and the workflow code
 * in one file. It needs nothing beside it but the packages.
 *
 * `--if-older` runs before the processes of a shop: it builds only where a source is newer, and leaves the workflow
 * code to the start, which bundles it beside other work. Types are not checked here; `npm run check` does.
 */
export interface BuildOptions {
  /** Where the sources are. */
  root: string;
  /** The folder to write; it is replaced whole. */
  into: string;
  /** Only where a source was changed since. */
  ifOlder?: boolean;
  /** Whether the workflow code is bundled as well. */
  hasBundle?: boolean;
  say?: (line: string) => void;
}

/** The product's code, and the documents that the API shows. */
const folders = '{activities,api,books,cli,client,db,deploy,docs,domain,local,providers,worker,workflows}';
const sources = [`${folders}/**/*`, '*.md', 'package.json', 'package-lock.json', 'tsconfig*.json'];
const others = ['**/node_modules', 'client/dist'];

/** Code becomes JavaScript; documents keep their samples as they are. */
const isCopied = (file: string) =>
  (!file.endsWith('.ts') || file.startsWith('docs/')) && !/tsconfig[^\/]*$/v.test(file);

/** Names the state of the sources from which a folder was built. */
const markFile = 'built-from';

const run = promisify(execFile);

/** @returns whether it was built now */
export async function build(options: BuildOptions): Promise<boolean> {
  const { root, into, say = () => undefined } = options;
  if (isFresh(options)) return false;
  mkdirSync(dirname(into), { recursive: true });
  const wait = () => say('Another start is building; waiting for it …');
  return withLock(`${into}.lock`, { wait }, async () => {
    if (isFresh(options)) return false;
    const began = performance.now();
    const [next, old] = [`${into}.next`, `${into}.old`];
    const files = sourcesIn(root);
    rmSync(next, { recursive: true, force: true });
    await compile(root, next);
    for (const file of files.filter(isCopied)) copy(join(root, file), join(next, file));
    writeFileSync(join(next, markFile), markOf(root, files));
    replace(into, { next, old });
    if (options.hasBundle) await run(process.execPath, [join(into, 'worker/bundle.js')]);
    say(`Built ${into} in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
    return true;
  });
}

/** A running process that reads a file meanwhile finds the old one or the new one. */
function replace(into: string, { next, old }: { next: string; old: string }): void {
  rmSync(old, { recursive: true, force: true });
  if (statSync(into, { throwIfNoEntry: false })) renameSync(into, old);
  renameSync(next, into);
  rmSync(old, { recursive: true, force: true });
}

async function compile(root: string, outDir: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  if (!statSync(compiler, { throwIfNoEntry: false }))
    throw new Error('The compiler is not installed, and the sources are newer than dist/. Run: npm ci');
  await run(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', outDir]).catch(
    (error: Error & { stdout?: string }) => {
      throw new Error(`The sources could not be compiled.\n${error.stdout || error.message}`);
    },
  );
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function isFresh({ root, into, ifOlder = false }: BuildOptions): boolean {
  if (!ifOlder) return false;
  try {
    return readFileSync(join(into, markFile), 'utf8') === markOf(root, sourcesIn(root));
  } catch {
    return false;
  }
}

const sourcesIn = (root: string): string[] =>
  globSync(sources, { cwd: root, exclude: others })
    .filter((file) => statSync(join(root, file)).isFile())
    .toSorted();

/** A file that is gone tells two states apart as well as one that was written. */
function markOf(root: string, files: readonly string[]): string {
  const digest = createHash('sha256').update(process.version);
  for (const file of files) {
    const { mtimeMs, size } = statSync(join(root, file));
    digest.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return digest.digest('hex');
}

if (isEntryPoint(import.meta)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const ifOlder = process.argv.includes('--if-older');
  try {
    await build({ root, into: join(root, 'dist'), ifOlder, hasBundle: !ifOlder, say: console.error });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
