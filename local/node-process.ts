import { spawn, type ChildProcess } from 'node:child_process';
import { dirname, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { visibleText } from '../domain/visible-text.ts';
import { CannotStart } from './cannot-start.ts';
import { openLog } from './open-log.ts';
import { privately } from './privately.ts';
import type { Part, Running } from './supervisor.ts';

export interface NodeProcessOptions {
  name: string;
  /** The program: `programFile`, or a path. */
  file: string;
  arguments?: readonly string[];
  /** What it may load before it starts, and what it waits for: then it starts at once. */
  ahead?: { loads: readonly string[]; startsAfter: Promise<unknown> };
  /** Node's own, such as how much memory it takes. */
  flags?: readonly string[];
  environment: Record<string, string | undefined>;
  /** The log of its whole output; only important lines are also shown. */
  logFile: string;
  /** The address where it answers when it is ready, and a text that the answer must contain. */
  isReadyWhen: { answersAt: string; contains?: string };
  /** How long it may take to finish its work when asked to stop. */
  patienceMs: number;
  show: (line: string) => void;
}

const here = import.meta.filename;

/** A program of ours, such as `api/main`: the built one where this is built, else the source. */
export const programFile = (name: string): string => join(dirname(here), '..', `${name}${extname(here)}`);

/** Node's own for a process of ours: it ends when we are gone. */
export const nodeFlags = ['--import', pathToFileURL(programFile('local/leave-with-parent')).href];

const readyWithinMs = 60_000;
const askEveryMs = 50;
const answerWithinMs = 2_000;
const linesStored = 20;

/** One of our own processes, run by the same Node, in a process group of its own. */
export const nodeProcess = (options: NodeProcessOptions): Part => ({
  name: options.name,
  async start(giveUp) {
    const { flags = [], file, arguments: words = [], ahead, environment: env } = options;
    const program = ahead ? [programFile('local/start-on-message'), file, ...ahead.loads] : [file, ...words];
    const command = [...flags, ...nodeFlags, ...program];
    // Its own group: Ctrl-C reaches only the parent, which decides the order of stopping.
    const child = privately(() =>
      spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true }),
    );
    const record = recorder(child, options);
    const running = runningOf(child, options.patienceMs);
    if (ahead) await untilReported(child, { running, giveUp, startsAfter: ahead.startsAfter });
    const failure = await untilReady({ running, giveUp, options });
    record.isReady = failure === undefined;
    if (record.isReady) return running;
    await running.stop();
    throw new CannotStart([`${options.name} did not start (${failure}).`, ...record.lastLines].join('\n    '));
  },
});

interface Telling {
  running: Running;
  giveUp: AbortSignal;
  startsAfter: Promise<unknown>;
}

/** Lets the process start. Nobody waits for one that has ended; when its start fails elsewhere, it ends. */
async function untilReported(child: ChildProcess, { running, giveUp, startsAfter }: Telling): Promise<void> {
  const abandoned = new Promise<void>((resolve) => {
    if (giveUp.aborted) resolve();
    else giveUp.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await Promise.race([startsAfter, running.ended, abandoned]);
  } catch (error) {
    await running.stop();
    throw error;
  }
  // One that ended meanwhile has no channel; `untilReady` says how it ended.
  if (child.connected) child.send('start', () => undefined);
}

interface Waiting {
  running: Running;
  giveUp: AbortSignal;
  options: NodeProcessOptions;
}

/** @returns why it is not ready; undefined when it is */
async function untilReady({ running, giveUp, options }: Waiting): Promise<string | undefined> {
  let how: string | undefined;
  void running.ended.then((ending) => (how = ending));
  for (const until = Date.now() + readyWithinMs; Date.now() < until; await sleep(askEveryMs)) {
    if (how !== undefined) return how;
    if (giveUp.aborted) return 'stopped before it was ready';
    if (await answers(options.isReadyWhen)) return undefined;
  }
  return `not ready within ${readyWithinMs / 1000} s; its log is ${options.logFile}`;
}

async function answers({ answersAt, contains = '' }: NodeProcessOptions['isReadyWhen']): Promise<boolean> {
  try {
    const answer = await fetch(answersAt, { signal: AbortSignal.timeout(answerWithinMs) });
    return (await answer.text()).includes(contains) && answer.ok;
  } catch {
    return false;
  }
}

function runningOf(child: ChildProcess, patienceMs: number): Running {
  const kill = () => killGroup(child);
  process.once('exit', kill);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  void ended.then(() => process.removeListener('exit', kill));
  return {
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill('SIGTERM');
      const impatience = setTimeout(kill, patienceMs);
      await ended;
      clearTimeout(impatience);
    },
  };
}

/** Ends the process and everything it started. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

interface Recorder {
  lastLines: string[];
  /** Until then nothing is shown: the output of a failed start goes into the one error message. */
  isReady: boolean;
}

/** Writes the output into its log, and shows the important lines. */
function recorder(child: ChildProcess, { logFile, show }: NodeProcessOptions): Recorder {
  const log = openLog(logFile, show);
  const record: Recorder = { lastLines: [], isReady: false };
  const follow = (stream: Readable | null, isWorthSeeing: (line: string) => boolean) => {
    if (!stream) return;
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`);
      record.lastLines.push(visibleText(line));
      record.lastLines.splice(0, record.lastLines.length - linesStored);
      if (record.isReady && isWorthSeeing(line)) show(visibleText(line));
    });
  };
  follow(child.stdout, isTrouble);
  follow(child.stderr, () => true);
  child.once('close', () => log.end());
  return record;
}

/** Warnings and errors, in either form of our log. */
const isTrouble = (line: string) => /^\S+ (warn|error|fatal) /.test(line) || /"level":(40|50|60)\b/.test(line);
