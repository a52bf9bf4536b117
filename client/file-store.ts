import { link, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  damagedEntry,
  faultOfEnd,
  faultOfJob,
  inTurn,
  withDefaults,
  type DamagedEntry,
  type EndedJob,
  type Job,
  type JobStore,
} from './jobs.ts';

/**
 * Jobs in a folder of a register's disk, each a file with its place as name. A file is written next to it, flushed, and
 * moved into place: after a power cut it is there whole, or not at all. A job that cannot be read becomes
 * `<place>.damaged`, with its bytes; a file of another program stays where it is. Both are in `damaged()`. Several
 * processes may have one folder: one at a time sends.
 */
export async function openFileStore(folder: string): Promise<JobStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftovers(folder);
  const fileOf = (seq: number, kind: Kind = 'json') => join(folder, `${String(seq).padStart(digits, '0')}.${kind}`);
  let highest = 0;

  const readAll = async <Entry extends Job>(kind: Kind, faultOf: (value: unknown) => string | undefined) => {
    const names = (await readdir(folder)).filter((name) => kindOf(name) === kind).toSorted();
    const entries = await Promise.all(names.map((name) => readEntry<Entry>(folder, name, faultOf)));
    return entries.flatMap((entry) => (entry === undefined ? [] : [entry]));
  };

  return {
    read: () => readAll<Job>('json', faultOfJob),
    async add(given) {
      // A place is never given twice, also when the folder was emptied meanwhile.
      const places = (await readdir(folder)).filter((name) => kindOf(name)).map((name) => Number.parseInt(name, 10));
      highest = Math.max(highest, ...places);
      for (;;) {
        const job: Job = { ...given, seq: ++highest };
        const part = await written(folder, JSON.stringify(job));
        try {
          await link(part, fileOf(job.seq));
          await flush(folder);
          return job;
        } catch (error) {
          if (!isCode(error, 'EEXIST')) throw error;
        } finally {
          await rm(part, { force: true });
        }
      }
    },
    async write(job) {
      if (!(await stat(fileOf(job.seq)).catch(gone))) return;
      await rename(await written(folder, JSON.stringify(job)), fileOf(job.seq));
      await flush(folder);
    },
    async remove(seq) {
      await rm(fileOf(seq), { force: true });
      await flush(folder);
    },
    async end(job) {
      await rename(await written(folder, JSON.stringify(job)), fileOf(job.seq, 'end'));
      await rm(fileOf(job.seq), { force: true });
      await flush(folder);
    },
    ends: () => readAll<EndedJob>('end', faultOfEnd),
    async forgetEnd(seq) {
      await rm(fileOf(seq, 'end'), { force: true });
      await flush(folder);
    },
    damaged: () => damagedIn(folder),
    ...{ enter: enterProgram, isRunning: isRunningHere, alone: oneProcessAtATime(folder) },
  };
}

/** More jobs than a register ever has: names sort as numbers do. */
const digits = 12;

type Kind = 'json' | 'end' | 'damaged';
const ownName = /^\d{12}\.(json|end|damaged)$/;
const kindOf = (name: string) => ownName.exec(name)?.[1] as Kind | undefined;

const partName = /\.part$/;
const lockName = 'sending.lock';

/** Undefined: it is gone, or it was set aside. */
async function readEntry<Entry extends Job>(
  folder: string,
  name: string,
  faultOf: (value: unknown) => string | undefined,
): Promise<Entry | undefined> {
  const path = join(folder, name);
  const text = await readFile(path, 'utf8').catch(unlessGone);
  if (text === undefined) return undefined;
  const { value, because } = parsed(text, faultOf);
  if (because === undefined) return withDefaults(value as Entry);
  // Its bytes may be all that is left of a sale: nothing is written over, and its place is not given again.
  await rename(path, join(folder, name.replace(/\.\w+$/, '.damaged'))).catch(unlessGone);
  await flush(folder);
  return undefined;
}

function parsed(text: string, faultOf: (value: unknown) => string | undefined): { value: unknown; because?: string } {
  if (text.trim() === '') return { value: undefined, because: 'The file is empty.' };
  try {
    const value: unknown = JSON.parse(text);
    const because = faultOf(value);
    return because === undefined ? { value } : { value, because };
  } catch {
    return { value: undefined, because: 'The file is not JSON.' };
  }
}

async function damagedIn(folder: string): Promise<DamagedEntry[]> {
  const found = (await readdir(folder, { withFileTypes: true })).filter(
    (entry) => entry.isFile() && !entry.name.startsWith('.') && entry.name !== lockName && !partName.test(entry.name),
  );
  const entries = found.flatMap(({ name }) => {
    const kind = kindOf(name);
    return kind === 'json' || kind === 'end' ? [] : [{ name, isForeign: kind === undefined }];
  });
  return Promise.all(
    entries.map(async ({ name, isForeign }) => {
      const text = (await readFile(join(folder, name), 'utf8').catch(gone)) ?? '';
      const because = isForeign ? 'It is a file of another program.' : parsed(text, faultOfJob).because;
      return damagedEntry(name, because ?? 'It can be read now: give it its old name.', text);
    }),
  );
}

/** What a power cut left half-written was never told to be stored. Another process may be writing its own just now. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => partName.test(one))) {
    const [, host, process] = /^(.+)~(\d+)~/.exec(name) ?? [];
    const isBeingWritten = host !== undefined && (await isRunningHere(`${host}~${process}~other`));
    if (!isBeingWritten) await rm(join(folder, name), { force: true });
  }
}

async function written(folder: string, text: string): Promise<string> {
  const part = join(folder, `${thisProcess}~${crypto.randomUUID()}.part`);
  const file = await open(part, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(part, { force: true });
    throw error;
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

const thisProcess = `${hostname()}~${process.pid}`;
/** A restarted container has the same host and process number: these distinguish its programs. */
const programsHere = new Set<string>();

function enterProgram(): string {
  const program = `${thisProcess}~${crypto.randomUUID()}`;
  programsHere.add(program);
  return program;
}

/** A program of another machine counts as running: nothing here can know. */
async function isRunningHere(program: string): Promise<boolean> {
  const [host, id] = program.split('~');
  if (host !== hostname()) return true;
  if (Number(id) === process.pid) return programsHere.has(program);
  return isRunningProcess(Number(id));
}

function isRunningProcess(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

const lockTouchedEachMs = 5_000;
/** A lock of a process that cannot be asked is over after this, as after a power cut. */
const lockHeldMs = 30_000;
const lockPauseMs = 50;

/**
 * A file that one process has at a time. A process that slept longer than the lock holds may send alongside another:
 * both send the same requests with the same keys, so nothing is done twice.
 */
function oneProcessAtATime(folder: string): NonNullable<JobStore['alone']> {
  const path = join(folder, lockName);
  const turn = inTurn();
  return (work) =>
    turn(async () => {
      const token = enterProgram();
      try {
        while (!(await isTaken(folder, token))) await pause(lockPauseMs);
        const touching = setInterval(() => void utimes(path, new Date(), new Date()).catch(gone), lockTouchedEachMs);
        touching.unref();
        try {
          return await work();
        } finally {
          clearInterval(touching);
          if ((await readFile(path, 'utf8').catch(gone)) === token) await rm(path, { force: true });
        }
      } finally {
        programsHere.delete(token);
      }
    });
}

/** Takes the lock, or removes one whose process is gone. */
async function isTaken(folder: string, token: string): Promise<boolean> {
  const path = join(folder, lockName);
  const part = await written(folder, token);
  try {
    await link(part, path);
    return true;
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
    await removeIfOver(path);
    return false;
  } finally {
    await rm(part, { force: true });
  }
}

async function removeIfOver(path: string): Promise<void> {
  const [found, token] = await Promise.all([stat(path).catch(gone), readFile(path, 'utf8').catch(gone)]);
  if (!found || token === undefined) return;
  const isOver = !(await isRunningHere(token)) || Date.now() - found.mtimeMs > lockHeldMs;
  // Another process may have removed it and taken its own since: that one stays.
  if (isOver && (await readFile(path, 'utf8').catch(gone)) === token) await rm(path, { force: true });
}

const gone = (): undefined => undefined;

/** Another process removed it. Any other fault, such as a missing right, must not look like an empty queue. */
function unlessGone(error: unknown): undefined {
  if (isCode(error, 'ENOENT')) return undefined;
  throw error;
}

const isCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;
