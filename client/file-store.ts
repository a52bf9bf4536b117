import { link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job, JobStore } from './outbox.ts';

/**
 * Jobs in a folder of a register's disk, each a file with its place as name. A file is written beside, flushed, and
 * moved into place: after a power cut it is there whole, or not at all.
 */
export async function openFileStore(folder: string): Promise<JobStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) if (name.endsWith('.part')) await rm(join(folder, name), { force: true });
  const fileOf = (seq: number) => join(folder, `${String(seq).padStart(digits, '0')}.json`);
  const names = async () => (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  let highest = 0;

  return {
    async read() {
      const texts = await Promise.all((await names()).map((name) => readFile(join(folder, name), 'utf8').catch(gone)));
      return texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text) as Job]));
    },
    async add(given) {
      // A place is never given twice, also when the folder was emptied meanwhile.
      highest = Math.max(highest, Number.parseInt((await names()).at(-1) ?? '0', 10));
      for (;;) {
        const job: Job = { ...given, seq: ++highest };
        const part = await written(folder, job);
        try {
          await link(part, fileOf(job.seq));
          await flush(folder);
          return job;
        } catch (error) {
          if (!isTaken(error)) throw error;
        } finally {
          await rm(part, { force: true });
        }
      }
    },
    async write(job) {
      await rename(await written(folder, job), fileOf(job.seq));
      await flush(folder);
    },
    async remove(seq) {
      await rm(fileOf(seq), { force: true });
      await flush(folder);
    },
  };
}

/** More jobs than a register ever has: names sort as numbers do. */
const digits = 12;

async function written(folder: string, job: Job): Promise<string> {
  const part = join(folder, `${crypto.randomUUID()}.part`);
  const file = await open(part, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(job));
    await file.sync();
  } finally {
    await file.close();
  }
  return part;
}

/** The names of a folder are on disk after this. Windows has no such call, and needs none. */
async function flush(folder: string): Promise<void> {
  const file = await open(folder, 'r').catch(gone);
  await file?.sync().catch(gone);
  await file?.close();
}

const gone = (): undefined => undefined;
const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EEXIST';
