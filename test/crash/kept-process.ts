import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface KeptProcessOptions {
  file: string;
  environment: Record<string, string | undefined>;
  /** In its log, once it can work. */
  readyLine: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const failpoints = new URL('failpoints.ts', import.meta.url).href;
const leaveWithParent = new URL('../../local/leave-with-parent.ts', import.meta.url).href;
const wordsKept = 4_000;

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

  constructor(options: KeptProcessOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    const { file, environment, readyLine } = this.#options;
    const child = spawn(process.execPath, ['--import', leaveWithParent, '--import', failpoints, file], {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.#ready = new Promise((resolve) => {
      let said = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk: Buffer) => {
          said = (said + String(chunk)).slice(-wordsKept);
          this.lastWords = said;
          if (said.includes(readyLine)) resolve();
        });
      }
      child.once('exit', (code, signal) => {
        if (this.#isStopping) return;
        if (signal !== 'SIGKILL') this.ownEnds.push(`${file} ended by itself (${signal ?? code}): ${said}`);
        void this.start().then(resolve);
      });
    });
    return this.#ready;
  }

  /** Settles once the process that lives now can work. */
  async untilReady(): Promise<void> {
    for (let known: Promise<void> | undefined; known !== this.#ready; await known) known = this.#ready;
  }

  /** As a machine would lose it; it is started again. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}
