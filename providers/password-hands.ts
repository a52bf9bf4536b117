import { Worker } from 'node:worker_threads';
import { unavailable } from '../domain/errors.ts';
import type { PasswordAnswer, PasswordJob } from './password-worker.ts';

/** Who waits for a password. Callers without a token and customers are a crowd of their own, which never takes the cashiers' thread. */
export type Crowd = 'staff' | 'anonymous';

/** Two threads answer 28 a second: whoever waits longer than these has given up. */
const mostWaiting: Record<Crowd, number> = { staff: 128, anonymous: 32 };
/** Of each thread: whom it takes up, first and next. */
const threads: readonly (readonly Crowd[])[] = [['staff'], ['anonymous', 'staff']];

interface Waiting {
  job: PasswordJob;
  crowd: Crowd;
  resolve: (result: string | boolean) => void;
  reject: (error: Error) => void;
}

interface Hand {
  worker: Worker;
  /** What it is at. */
  now: Waiting | undefined;
}

/** Threads that hash, each begun with its first job; they do not keep a process alive that has nothing to ask them. */
export class PasswordHands {
  #hands: (Hand | undefined)[] = [];
  readonly #lines: Record<Crowd, Waiting[]> = { staff: [], anonymous: [] };

  /** Refused with 503: too many of that crowd are waiting. */
  ask(job: PasswordJob, crowd: Crowd): Promise<string | boolean> {
    const working = this.#hands.filter((hand) => hand?.now?.crowd === crowd).length;
    if (this.#lines[crowd].length + working >= mostWaiting[crowd])
      return Promise.reject(unavailable('Too many sign-ins at once. Please try again later.'));
    return new Promise((resolve, reject) => {
      this.#lines[crowd].push({ job, crowd, resolve, reject });
      for (const at of threads.keys()) this.#begin(at);
    });
  }

  /** Whoever still waits is told so. */
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
    // A thread that dies takes its job with it; the next job gets a new thread.
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
