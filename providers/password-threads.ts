import { Worker } from 'node:worker_threads';
import { unavailable } from '../domain/errors.ts';
import type { PasswordAnswer, PasswordJob } from './password-worker.ts';

/**
 * Groups of callers that wait for hashing. Customers and callers without a token form one group, which never uses the
 * cashiers' thread.
 */
export type CallerGroup = 'staff' | 'anonymous';

/** Two threads hash 28 passwords a second: a caller behind a longer queue would have given up. */
const mostWaiting: Record<CallerGroup, number> = { staff: 128, anonymous: 32 };
/** For each thread: the groups it serves, the first one first. */
const threads: readonly (readonly CallerGroup[])[] = [['staff'], ['anonymous', 'staff']];

interface Waiting {
  job: PasswordJob;
  crowd: CallerGroup;
  resolve: (result: string | boolean) => void;
  reject: (error: Error) => void;
}

interface Hand {
  worker: Worker;
  /** The job in progress. */
  now: Waiting | undefined;
}

/** Threads that hash. Each starts with its first job; an idle thread does not keep the process alive. */
export class PasswordThreads {
  #hands: (Hand | undefined)[] = [];
  readonly #lines: Record<CallerGroup, Waiting[]> = { staff: [], anonymous: [] };

  /** Refused with 503: too many callers of that group are waiting. */
  ask(job: PasswordJob, crowd: CallerGroup): Promise<string | boolean> {
    const working = this.#hands.filter((hand) => hand?.now?.crowd === crowd).length;
    if (this.#lines[crowd].length + working >= mostWaiting[crowd])
      return Promise.reject(unavailable('Too many sign-ins at once. Please try again later.'));
    return new Promise((resolve, reject) => {
      this.#lines[crowd].push({ job, crowd, resolve, reject });
      for (const at of threads.keys()) this.#begin(at);
    });
  }

  /** Refuses every caller that still waits. */
  async close(): Promise<void> {
    const waiting = Object.values(this.#lines).flatMap((line) => line.splice(0));
    for (const { reject } of waiting) reject(ended());
    const hands = this.#hands;
    this.#hands = [];
    await Promise.all(hands.map(async (hand) => hand?.worker.terminate()));
  }

  #begin(at: number): void {
    if (this.#hands[at]?.now) return;
    const crowd = threads[at]?.find((one) => this.#lines[one].length > 0);
    const next = crowd && this.#lines[crowd].shift();
    if (!next) return;
    const hand = (this.#hands[at] ??= this.#hire(at));
    hand.now = next;
    hand.worker.ref();
    hand.worker.postMessage(next.job);
  }

  #hire(at: number): Hand {
    const worker = new Worker(new URL('./password-worker.ts', import.meta.url));
    const hand: Hand = { worker, now: undefined };
    worker.on('message', ({ result }: PasswordAnswer) => {
      hand.now?.resolve(result);
      this.#next(at, hand);
    });
    // When a thread dies, its job fails; the next job gets a new thread.
    const dismiss = (error: Error) => {
      if (this.#hands[at] === hand) this.#hands[at] = undefined;
      hand.now?.reject(error);
      this.#next(at, hand);
    };
    worker.once('error', dismiss);
    worker.once('exit', () => dismiss(ended()));
    worker.unref();
    return hand;
  }

  #next(at: number, hand: Hand): void {
    hand.now = undefined;
    hand.worker.unref();
    this.#begin(at);
  }
}

const ended = () => new Error('the password worker ended');
