import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface KeptProcessOptions {
  file: string;
  /** Where another build is, built or as sources; absent: this one. */
  sources?: string | undefined;
  environment: Record<string, string | undefined>;
  /** In its log, once it can work. */
  readyLine: string;
  /** Modules that are loaded before it. */
  preloads?: readonly string[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const failpoints = new URL('failpoints.ts', import.meta.url).href;
const leaveWithParent = new URL('../../local/leave-with-parent.ts', import.meta.url).href;
const wordsKept = 4_000;
const linesKept = 10;

/** A process of ours that dies at points we name, and is started again whenever it does. */
export class KeptProcess {
  readonly #options: KeptProcessOptions;
  #child: ChildProcess | undefined;
  #isStopping = false;
  #ready: Promise<void> = Promise.resolve();
  /** The end of what it said, for a report. */
  lastWords = '';
  /** How it ended when nobody had killed it. */
  readonly ownEnds: string[] = [];
  /** The last warnings and errors of its log, over all its lives. */
  readonly troubles: string[] = [];

  constructor(options: KeptProcessOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    const { file, environment, readyLine, preloads = [], sources = root } = this.#options;
    const built = file.replace(/\.ts$/, '.js');
    this.#isStopping = false;
    const loaded = [leaveWithParent, failpoints, ...preloads].flatMap((module) => ['--import', module]);
    const child = spawn(process.execPath, [...loaded, existsSync(join(sources, built)) ? built : file], {
      cwd: sources,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.removeListener('exit', kill));
    let isReady = false;
    this.#ready = new Promise((resolve) => {
      let said = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk: Buffer) => {
          said = (said + String(chunk)).slice(-wordsKept);
          this.lastWords = said;
          this.#keepTroubles(String(chunk));
          isReady ||= said.includes(readyLine);
          if (isReady) resolve();
        });
      }
      child.once('exit', (code, signal) => {
        if (this.#isStopping) return;
        // One that cannot begin, on a busy machine, is begun again as any supervisor would.
        if (signal !== 'SIGKILL' && isReady) this.ownEnds.push(`${file} ended by itself (${signal ?? code}): ${said}`);
        void this.start().then(resolve);
      });
    });
    return this.#ready;
  }

  #keepTroubles(said: string): void {
    this.troubles.push(...said.split('\n').filter((line) => /"level":[456]0\b/.test(line)));
    this.troubles.splice(0, this.troubles.length - linesKept);
  }

  /** Settles once the process that lives now can work. */
  async untilReady(): Promise<void> {
    for (let known: Promise<void> | undefined; known !== this.#ready; await known) known = this.#ready;
  }

  /** As a machine would lose it; it is started again. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Lost, and alive again as one that has read nothing yet. */
  async begin(): Promise<void> {
    const gone = this.#child && once(this.#child, 'exit');
    this.kill();
    await gone;
    await this.untilReady();
  }

  /** Stands still, with all that it holds, until it is told to go on. */
  standStill(): void {
    this.#child?.kill('SIGSTOP');
  }

  goOn(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Writes down how late its loop was, where it has the probe. */
  tellLateness(): void {
    this.#child?.kill('SIGUSR2');
  }

  /** As a deployment does: asked to end, it ends what it has in hand, and its successor comes. */
  async replace(): Promise<void> {
    await this.stop('SIGTERM');
    await this.start();
  }

  /** Ends it; `start` begins it again. Answers how it ended: 0 is as it should. */
  async stop(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<number | string | null> {
    this.#isStopping = true;
    const child = this.#child;
    if (!child) return null;
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    }
    return child.exitCode ?? child.signalCode;
  }
}
