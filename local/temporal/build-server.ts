import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { withLock } from '../with-lock.ts';
import type { WayToGetOne, Got } from './way-to-get-one.ts';
import type { Environment, Say } from './version.ts';

const program = 'github.com/temporalio/cli/cmd/temporal';

/** Roughly the number of packages that `go build -v` lists; only the progress line uses it. */
const packagesInAll = 1_720;
const progressEveryMs = 10_000;

/** How many characters of a failed build's output are repeated. */
const wordsKept = 300;

/**
 * Builds the server from source with Go: four to eight minutes on two cores, once per machine.
 *
 * Under a lock, into a temporary name: two concurrent starts build once, and an incomplete program is never visible.
 */
export const buildServer: WayToGetOne = async ({ folder, environment, say }) => {
  if (spawnSync('go', ['version'], { env: environment }).status !== 0)
    return { why: 'Go is not installed, so it could not be built' };
  mkdirSync(folder, { recursive: true });
  const wait = () => say('Another start is building the Temporal server; waiting for it …');
  return withLock(join(folder, 'build.lock'), { wait }, () => build({ folder, environment, say }));
};

async function build({ folder, environment, say }: Parameters<WayToGetOne>[0]): Promise<Got> {
  const binary = join(folder, 'temporal');
  if (existsSync(binary)) return { binary };
  const aside = join(folder, `.build-${process.pid}`);
  say('Building the Temporal server from source, once on this machine: four to eight minutes on two cores.');
  const began = Date.now();
  try {
    const { code, lastWords } = await runGo({ aside, environment, say, began });
    if (code !== 0) return { why: `building it with Go failed (${lastWords})` };
    renameSync(aside, binary);
    say(`Built the Temporal server in ${duration(Date.now() - began)}.`);
    return { binary };
  } finally {
    rmSync(aside, { force: true });
  }
}

async function runGo(at: { aside: string; environment: Environment; say: Say; began: number }) {
  const flags = ['build', '-v', '-trimpath', '-ldflags', '-s -w', '-o', at.aside, program];
  const go = spawn('go', flags, {
    cwd: import.meta.dirname,
    env: { ...at.environment, CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = () => go.kill('SIGKILL');
  process.once('exit', stop);
  const seen = { packages: 0, modules: 0, lastWords: '' };
  const lines = createInterface({ input: go.stderr });
  lines.on('line', (line) => {
    if (line.startsWith('go: downloading')) seen.modules += 1;
    else seen.packages += 1;
    seen.lastWords = `${seen.lastWords} ${line}`.slice(-wordsKept);
  });
  const timer = setInterval(() => at.say(progress(seen, Date.now() - at.began)), progressEveryMs);
  const code = await new Promise<number | null>((resolve) => {
    go.once('error', () => resolve(null));
    go.once('close', resolve);
  });
  clearInterval(timer);
  process.removeListener('exit', stop);
  return { code, lastWords: seen.lastWords.trim() };
}

function progress({ packages, modules }: { packages: number; modules: number }, sinceMs: number): string {
  if (packages === 0) return `  ${duration(sinceMs)}: ${modules} modules fetched …`;
  const share = Math.min(99, Math.round((packages / packagesInAll) * 100));
  return `  ${duration(sinceMs)}: ${packages} packages compiled, about ${share} % …`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
