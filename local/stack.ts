import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSettings } from '../providers/settings.ts';
import { boot } from './boot.ts';
import { CannotStart } from './cannot-start.ts';
import type { Example } from './prepare/examples.ts';
import { makePrivate } from './make-private.ts';
import { noteProcesses, stopLeftOvers } from './left-overs.ts';
import { choosePorts } from './ports.ts';
import { removeReadyFile, writeReadyFile, type Ready } from './ready-file.ts';
import { shortenLogs } from './shorten-logs.ts';
import { Supervisor } from './supervisor.ts';
import { lockHolder, takeLock } from './with-lock.ts';

export interface StackOptions {
  /** The settings, as variables: `PORT: '0'` takes free ports, `POS_DATA_DIR` says where the data stay. */
  environment: Record<string, string | undefined>;
  /** Called with progress messages, one line each. */
  say?: (line: string) => void;
  /** Ends the start and everything it started so far. */
  giveUp?: AbortSignal;
  /** False only where a crash of the machine may lose the data, as in tests. */
  isDurable?: boolean;
}

/** A whole running shop. */
export interface Stack {
  ready: Ready;
  /** Example requests, where the demo shop exists. */
  examples: Example[];
  dataDir: string;
  /** Stops everything in order; the data stay. */
  stop(): Promise<void>;
}

/**
 * Starts every part that no setting places elsewhere, in order, and keeps it running: PostgreSQL and Temporal, then
 * the database's content, the simulators, the catchers of mails and webhooks, and the worker and the API as separate processes.
 *
 * A second start on the same data directory continues with the same data. Throws `CannotStart`, `WrongSetting` or
 * `NoTemporalServer` with a sentence that says what to do.
 */
export async function startStack({
  environment: given,
  say = () => undefined,
  giveUp = new AbortController().signal,
  isDurable = true,
}: StackOptions): Promise<Stack> {
  // The catcher of webhooks is on this machine.
  const environment = { POS_DEMO: '1', LOG_FORMAT: 'pretty', WEBHOOKS_TO_PRIVATE_NETWORKS: '1', ...given };
  const settings = parseSettings(environment);
  const dataDir = makeDataDir(settings.POS_DATA_DIR);
  const unlock = lock(dataDir);
  const processFile = join(dataDir, 'processes.json');
  const supervisor = new Supervisor({ say, noted: (processes) => noteProcesses(processFile, processes) });
  const stop = async () => {
    removeReadyFile(dataDir);
    await supervisor.stop();
    unlock();
  };
  const stopEarly = () => void supervisor.stop();
  giveUp.addEventListener('abort', stopEarly, { once: true });
  try {
    const left = await stopLeftOvers(processFile);
    if (left.length > 0) say(`An earlier start was killed and left behind: ${left.join(', ')}. Stopped.`);
    ifPossible(say, 'The logs could not be shortened', () => shortenLogs(join(dataDir, 'logs')));
    const ports = await choosePorts({ settings, environment: given, say });
    const booted = await boot({ settings, environment, dataDir, ports, isDurable, say, giveUp, supervisor });
    ifPossible(say, 'ready.json could not be written, so tools do not find this shop', () =>
      writeReadyFile(dataDir, booted.ready),
    );
    return { ...booted, dataDir, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    giveUp.removeEventListener('abort', stopEarly);
  }
}

/** Others may pass through it, because PostgreSQL may run as another user; its files are only for the owner. */
function makeDataDir(folder: string): string {
  const dataDir = resolve(folder);
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711);
  makePrivate(dataDir);
  return dataDir;
}

/** For a write that may fail on a full disk without stopping the shop. */
function ifPossible(say: (line: string) => void, otherwise: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    say(`${otherwise} (${error instanceof Error ? error.message : String(error)}).`);
  }
}

/** One start at a time on one data directory; a lock whose process has ended does not count. */
function lock(dataDir: string): () => void {
  const file = join(dataDir, 'start.lock');
  if (takeLock(file)) return () => rmSync(file, { force: true });
  throw new CannotStart(
    `npm start already runs on ${dataDir} (process ${lockHolder(file)?.pid}); stop it, or give this one a data directory of its own: POS_DATA_DIR=.data-2 npm start`,
  );
}
