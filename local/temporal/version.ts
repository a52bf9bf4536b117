import { homedir } from 'node:os';
import { join } from 'node:path';

/** Of the Temporal CLI, which carries the server and its UI. Later ones cannot be built from source this way. */
export const cliVersion = '1.8.2';

/** Older servers lack what the flows rely on. */
export const oldestServer = [1, 31] as const;

/** One sentence for people, and the four ways on: what a start says when no server can be had. */
export class NoTemporalServer extends Error {
  override name = 'NoTemporalServer';
}

/** Where a server that was fetched or built once stays for every checkout on this machine. */
export function cacheFolder(environment: Environment): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pos-temporal', cliVersion);
}

export type Environment = Record<string, string | undefined>;
export type Say = (line: string) => void;
