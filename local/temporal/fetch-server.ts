import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import type { WayToGetOne } from './way-to-get-one.ts';
import { cliVersion, type Say } from './version.ts';

/** SHA-256 of the official archives of this version, from its `checksums.txt` and several independent sources. */
const checksums: Record<string, string> = {
  linux_amd64: 'd8421bda989e6514b4bdb4d63a9012a8a05a806892e881a5aad8510496349a94',
  linux_arm64: '83600a8fac6e3da54093e5da6918d399f501532b9f1172235603f9606f4ac6e4',
  darwin_amd64: '489d7f5420cae02b559774ac23df035141954c33a51dba96f5759a0ddccdf1b6',
  darwin_arm64: 'dacdc3587682c04cf27e67c8878ca2d755230b6ad63c0c6ebddd7348ae90ed94',
};

const releases = 'https://github.com/temporalio/cli/releases/download';

/** A machine without internet access notices soon, and a slow one still succeeds. */
const answerWithinMs = 4_000;
const stalledAfterMs = 10_000;

const megabyte = 1_000_000;

/** Fetches the official archive with one try; an archive with another checksum is deleted. */
export const fetchServer: WayToGetOne = async ({ folder, say }) => {
  const target = `${platform()}_${arch() === 'x64' ? 'amd64' : arch()}`;
  const checksum = checksums[target];
  if (!checksum) return { why: `there is no official archive for ${target}` };
  try {
    const archive = await download(`${releases}/v${cliVersion}/temporal_cli_${cliVersion}_${target}.tar.gz`, say);
    if (createHash('sha256').update(archive).digest('hex') !== checksum)
      return { why: 'the official archive did not have its checksum' };
    return { binary: unpack(archive, folder) };
  } catch (error) {
    return { why: `the official archive could not be fetched (${reasonOf(error)})` };
  }
};

async function download(url: string, say: Say): Promise<Buffer> {
  const watch = new AbortController();
  let timer = setTimeout(() => watch.abort(), answerWithinMs);
  try {
    const answer = await fetch(url, { signal: watch.signal });
    if (!answer.ok || !answer.body) throw new Error(`HTTP ${answer.status}`);
    const size = Number(answer.headers.get('content-length') ?? 0);
    say(`Fetching the Temporal server, once${size ? ` (${Math.round(size / megabyte)} MB)` : ''} …`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) {
      clearTimeout(timer);
      timer = setTimeout(() => watch.abort(), stalledAfterMs);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
  }
}

/** Unpacks beside its place and moves it there, so that two concurrent starts both get a complete program. */
function unpack(archive: Buffer, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const aside = mkdtempSync(join(folder, '.fetch-'));
  try {
    const file = join(aside, 'archive.tar.gz');
    writeFileSync(file, archive);
    const tar = spawnSync('tar', ['-xzf', file, '-C', aside, 'temporal'], { encoding: 'utf8' });
    if (tar.status !== 0) throw new Error(tar.error?.message ?? tar.stderr.trim());
    renameSync(join(aside, 'temporal'), join(folder, 'temporal'));
    return join(folder, 'temporal');
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return 'no answer';
  return error.cause instanceof Error ? error.cause.message : error.message;
}
