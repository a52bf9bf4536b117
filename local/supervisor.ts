import { setTimeout as sleep } from 'node:timers/promises';

/** A process that answers. */
export interface Running {
  pid: number;
  /** Settles with the reason when it has ended. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export interface Part {
  name: string;
  /**
   * Settles once it answers; rejects when it ends before that, or when asked to give up.
   *
   * @param born called with its id as soon as it has one, long before it answers: it would outlive a `kill -9` of
   * ours
   */
  start(giveUp: AbortSignal, born?: (pid: number) => void): Promise<Running>;
}

export interface SupervisorOptions {
  say: (line: string) => void;
  /** Called after each change with the running processes. */
  noted?: (processes: { name: string; pid: number }[]) => void;
}

interface Stored {
  part: Part;
  running: Running | undefined;
  /** The id of a process that is starting. */
  bornPid?: number | undefined;
  /** Settles when no start is under way. */
  idle: Promise<unknown>;
}

/** A process that dies at once, again and again, must not keep the machine busy. */
const shortestPauseMs = 250;
const longestPauseMs = 10_000;

/** A process that ran this long restarts without a pause. */
const steadyAfterMs = 30_000;

/** Keeps processes running: restarts those that die, and stops all of them in the reverse order of their start. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #kept: Stored[] = [];
  readonly #stopping = new AbortController();

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Starts a part for the first time and keeps it running. Rejects when this first start fails. */
  async keep(part: Part): Promise<void> {
    this.#stopping.signal.throwIfAborted();
    const stored: Stored = { part, running: undefined, idle: Promise.resolve() };
    this.#kept.push(stored);
    await this.#start(stored);
    void this.#watch(stored);
  }

  /** Stops everything, the last started first. A second call waits for the first. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const cached of this.#kept.toReversed()) {
      await cached.idle;
      await cached.running?.stop();
      cached.running = undefined;
      this.#note();
    }
  }

  async #start(retained: Stored): Promise<void> {
    const started = retained.part.start(this.#stopping.signal, (pid) => {
      retained.bornPid = pid;
      this.#note();
    });
    retained.idle = started.catch(() => undefined);
    try {
      retained.running = await started;
    } finally {
      retained.bornPid = undefined;
      this.#note();
    }
  }

  async #watch(kept: Stored): Promise<void> {
    const { name } = kept.part;
    let pauseMs = shortestPauseMs;
    for (;;) {
      const bornAt = Date.now();
      const how = await kept.running?.ended;
      if (this.#stopping.signal.aborted) return;
      if (Date.now() - bornAt > steadyAfterMs) pauseMs = shortestPauseMs;
      this.#options.say(`${name} has ended (${how ?? 'it did not start'}); starting it again.`);
      await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#stopping.signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      kept.running = undefined;
      await this.#startAgain(kept);
    }
  }

  async #startAgain(kept: Stored): Promise<void> {
    try {
      await this.#start(kept);
      this.#options.say(`${kept.part.name} is back.`);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#options.say(error instanceof Error ? error.message : String(error));
    }
  }

  #note(): void {
    const processes = this.#kept.flatMap(({ part: { name }, running, bornPid }) =>
      [bornPid, running?.pid].flatMap((pid) => (pid === undefined ? [] : [{ name, pid }])),
    );
    try {
      this.#options.noted?.(processes);
    } catch (error) {
      // On a full disk everything continues, and the next change is recorded again.
      this.#options.say(`What runs could not be noted (${error instanceof Error ? error.message : String(error)}).`);
    }
  }
}
