import { homedir } from 'node:os';
import { join } from 'node:path';

/** The Temporal CLI that is fetched: server 1.32.0 and UI 2.54.1 are in it. */
export const fetchedVersion = '1.9.1';

/** The one that Go builds, with server 1.31.2. Later ones cannot be built from source this way. */
export const builtVersion = '1.8.2';

/** Older servers lack features that the workflows need. */
export const oldestServer = [1, 31] as const;

/** One sentence and the four solutions: the message of a start without any server. */
export class NoTemporalServer extends Error {
  override name = 'NoTemporalServer';
}

/** Where servers are kept that were fetched or built once, a folder a version, for every checkout on this machine. */
export const cacheOf = (environment: Environment): string =>
  join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pos-temporal');

export type Environment = Record<string, string | undefined>;
export type Say = (line: string) => void;
