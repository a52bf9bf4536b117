import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isEntryPoint } from '../db/support/is-entry-point.ts';

/** Whatever workflow code imports, or is made with: more than it needs, so that nothing is forgotten. */
export const sources = ['package-lock.json', '{activities,domain,providers,worker,workflows}/**/*.{ts,js}'];

/** Tells two states of the project apart, at one place and with one Node. */
export function digestOfSources(root: string): string {
  const digest = createHash('sha256').update(process.version).update(root);
  for (const file of globSync(sources, { cwd: root }).toSorted()) {
    const text = readFileSync(join(root, file));
    digest.update(`\n${file} ${text.length}\n`).update(text);
  }
  return digest.digest('hex');
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Of sources, or of the build, where their ending is another one. */
const ending = extname(import.meta.filename);

const workflows = join(root, 'workflows', `index${ending}`);

const carryTrace = join(root, 'workflows', 'support', `carry-trace${ending}`);

const payloadConverterPath = join(root, 'workflows', 'support', `payload-converter${ending}`);

const packages =
  createRequire(import.meta.url)
    .resolve.paths('zod')
    ?.find((folder) => existsSync(folder)) ?? root;

const storedIn = join(packages, '.cache', 'workflow-bundle', ending.slice(1));

/** The bundle that a build made, as in an image. */
export function builtBundle(): string | undefined {
  const file = join(root, 'workflow-bundle.js');
  return existsSync(file) ? file : undefined;
}

/**
 * Bundles the workflow code into one file, once per start, so that a restarted worker is ready within a second. The
 * bundle of the same sources and packages is kept: the next start then saves five seconds of processor.
 *
 * Our modules keep no state (a test ensures it), so the worker loads them once, frozen, for all workflows. Otherwise
 * it would load them again for each of the hundreds of workflows in its cache.
 */
export async function bundleTo(file: string, { keep = storedIn }: { keep?: string } = {}): Promise<string> {
  const stored = join(keep, `${digestOfSources(root)}.js`);
  const code = ifPossible(() => readFileSync(stored, 'utf8')) ?? (await bundled());
  writeWhole(file, code);
  ifPossible(() => keepOnly(stored, code));
  return file;
}

/** The bundler needs most of a second to load, so only where it has work. */
async function bundled(): Promise<string> {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: workflows,
    preloadModules: [workflows],
    payloadConverterPath,
    workflowInterceptorModules: [carryTrace],
    logger: new DefaultLogger('ERROR'),
  });
  return code;
}

function keepOnly(file: string, code: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  const others = readdirSync(folder).map((name) => join(folder, name));
  if (others.includes(file)) return;
  writeWhole(file, code);
  for (const other of others) rmSync(other, { force: true });
}

/** Whole or not at all: a start may be killed, and two may write the same file at once. */
function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}

/** Where the packages cannot be written, as in an image, nothing is kept. */
function ifPossible<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

if (isEntryPoint(import.meta)) await bundleTo(process.argv[2] ?? join(root, 'workflow-bundle.js'));
