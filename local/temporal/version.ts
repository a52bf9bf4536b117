import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The version of the Temporal CLI, which contains the server and its UI. Later ones cannot be built from source this
 * way.
 */
export const cliVersion = '1.8.2';

/** Older servers lack features that the workflows need. */
export const oldestServer = [1, 31] as const;

/** One sentence and the four solutions: the message of a start without any server. */
export class NoTemporalServer extends Error {
  override name = 'NoTemporalServer';
}

/** The folder of a server that was fetched or built once, for every checkout on this machine. */
export function cacheFolder(environment: Environment): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pos-temporal', cliVersion);
}

export type Environment = Record<string, string | undefined>;
export type Say = (line: string) => void;
