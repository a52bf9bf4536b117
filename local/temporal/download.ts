import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A machine without internet access notices soon, and a slow one still succeeds. */
const answerWithinMs = 4_000;
const stalledAfterMs = 10_000;

const megabyte = 1_000_000;

/** Fetches with one try. Far more than expected ends it. */
export async function download(
  url: string,
  { maxBytes, begun = () => undefined }: { maxBytes: number; begun?: (size: string) => void },
): Promise<Buffer> {
  const watch = new AbortController();
  let timer = setTimeout(() => watch.abort(), answerWithinMs);
  try {
    const answer = await fetch(url, { signal: watch.signal, headers: { accept: 'text/html, */*;q=0.1' } });
    if (!answer.ok || !answer.body) throw new Error(`HTTP ${answer.status}`);
    const size = Number(answer.headers.get('content-length') ?? 0);
    begun(size ? ` (${Math.round(size / megabyte)} MB)` : '');
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of answer.body) {
      clearTimeout(timer);
      timer = setTimeout(() => watch.abort(), stalledAfterMs);
      chunks.push(chunk);
      if ((bytes += chunk.length) > maxBytes) throw new Error(`more than ${maxBytes / megabyte} MB`);
    }
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
  }
}

/** More than any archive of the server has. */
export const maxArchiveBytes = 200 * megabyte;

export const hasChecksum = (archive: Buffer, sha256: string): boolean =>
  createHash('sha256').update(archive).digest('hex') === sha256;

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
