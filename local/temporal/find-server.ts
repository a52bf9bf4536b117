import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { buildServer } from './build-server.ts';
import { fetchServer } from './fetch-server.ts';
import { cacheFolder, NoTemporalServer, oldestServer, type Environment, type Say } from './version.ts';
import type { WayToGetOne } from './way-to-get-one.ts';

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
 * before; otherwise fetches the official one, otherwise builds it from source.
 *
 * Throws `NoTemporalServer` with the four solutions when there is none, or when TEMPORAL_BIN names something else.
 */
export async function findServer({
  environment,
  say,
  waysToGetOne = [fetchServer, buildServer],
}: FindServerOptions): Promise<FoundServer> {
  const address = environment['TEMPORAL_ADDRESS'];
  if (address) return { address };
  const folder = cacheFolder(environment);
  const atHand = named(environment) ?? onPath(environment, say) ?? cached(folder);
  if (atHand) return { binary: atHand };

  const reasons: string[] = [];
  for (const getOne of waysToGetOne) {
    const got = await getOne({ folder, environment, say });
    if ('binary' in got) return got;
    reasons.push(got.why);
  }
  throw new NoTemporalServer(fourWaysOn(reasons));
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

function cached(folder: string): string | undefined {
  const binary = join(folder, 'temporal');
  return existsSync(binary) ? binary : undefined;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `temporal version 1.8.2 (Server 1.31.2, UI 2.50.1)`. */
function isRecent(version: string): boolean {
  const [, major = '0', minor = '0'] = /Server (\d+)\.(\d+)/.exec(version) ?? [];
  const [oldestMajor, oldestMinor] = oldestServer;
  return Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
}

const fourWaysOn = (reasons: readonly string[]) =>
  `There is no Temporal server on this machine, and none could be had. Any one of these helps:
  1. Install the Temporal CLI (https://docs.temporal.io/cli), so that \`temporal\` is on the PATH.
  2. Say where it is: TEMPORAL_BIN=/path/to/temporal npm start
  3. Install Go (https://go.dev/dl): the next start builds the server from source, once, in a few minutes.
  4. Use a server that runs elsewhere: TEMPORAL_ADDRESS=host:7233 npm start
What was tried: ${reasons.join('; ')}.`;
