import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CannotStart } from '../cannot-start.ts';
import { nodeFlags } from '../node-process.ts';
import { privately } from '../privately.ts';
import type { Prepared } from './prepare-database.ts';

/** What the process tells, one message each. */
export type Told = { said: string } | { prepared: Prepared } | { refused: string };

export interface PrepareApartOptions {
  /** The settings of the database, the data directory, the secret key and the demo shop. */
  environment: Record<string, string | undefined>;
  /** The API's address, for the examples. */
  api: string;
  say: (line: string) => void;
  /** The process loads its sources until the database answers. */
  startsAfter: Promise<unknown>;
  /** Ends the process; what it has not committed is undone. */
  giveUp: AbortSignal;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * `prepareDatabase` in a process of its own: migrations and a demo shop take 150 MB, which a process that then only
 * watches others would keep for days.
 *
 * Safe to repeat. Throws `CannotStart` where the database cannot be brought up to date.
 */
export async function prepareApart({
  environment,
  api,
  say,
  startsAfter,
  giveUp,
}: PrepareApartOptions): Promise<Prepared> {
  const command = [...nodeFlags, 'local/prepare/main.ts', api];
  const child = privately(() =>
    spawn(process.execPath, command, { cwd: root, env: environment, stdio: ['ignore', 'inherit', 'pipe', 'ipc'] }),
  );
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  giveUp.addEventListener('abort', kill, { once: true });
  const outcome: { prepared?: Prepared; refused?: string } = {};
  child.on('message', (told: Told) => ('said' in told ? say(told.said) : Object.assign(outcome, told)));
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  startsAfter.then(() => child.connected && child.send('start', () => undefined), kill);
  const [errors] = await Promise.all([child.stderr ? text(child.stderr) : '', ended]);
  process.removeListener('exit', kill);
  giveUp.removeEventListener('abort', kill);

  giveUp.throwIfAborted();
  await startsAfter;
  if (outcome.refused !== undefined) throw new CannotStart(outcome.refused);
  if (!outcome.prepared) throw new Error(`The database could not be prepared.\n${errors}`);
  return outcome.prepared;
}
