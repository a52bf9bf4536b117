import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';
import { builtVersion, type Environment, type Say } from './version.ts';
import { putInPlace, type WayToGetOne } from './way-to-get-one.ts';

const program = 'github.com/temporalio/cli/cmd/temporal';

/** Roughly the number of packages that `go build -v` lists; only the progress line uses it. */
const packagesInAll = 1_720;
const progressEveryMs = 10_000;

/** Builds the server from source with Go: four to eight minutes on two cores, once per machine. */
export const buildServer: WayToGetOne = async ({ cache, environment, say }) => {
  if (spawnSync('go', ['version'], { env: environment }).status !== 0)
    return { why: 'Go is not installed, so it could not be built' };
  say('Building the Temporal server from source, once on this machine: four to eight minutes on two cores.');
  const began = Date.now();
  try {
    const binary = await putInPlace(join(cache, builtVersion), (file) => build(file, { environment, say, began }));
    say(`Built the Temporal server in ${duration(Date.now() - began)}.`);
    return { binary };
  } catch (error) {
    return { why: `building it with Go failed (${error instanceof Error ? error.message : String(error)})` };
  }
};

async function build(file: string, at: { environment: Environment; say: Say; began: number }): Promise<void> {
  const seen = { packages: 0, modules: 0 };
  const timer = setInterval(() => at.say(progress(seen, Date.now() - at.began)), progressEveryMs);
  const go = ['go', 'build', '-v', '-trimpath', '-ldflags', '-s -w', '-o', file, program];
  const { code, lastWords } = await runProgram(go, {
    environment: { ...at.environment, CGO_ENABLED: '0' },
    folder: import.meta.dirname,
    heard: (line) => (seen[line.startsWith('go: downloading') ? 'modules' : 'packages'] += 1),
  });
  clearInterval(timer);
  if (code !== 0) throw new Error(lastWords);
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
