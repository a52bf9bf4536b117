import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { unavailable } from '../domain/errors.ts';
import type { Numbered } from './in-thread.ts';

export interface Crew {
  /** What a thread runs, without its ending: its default export is `inThread` of a function. */
  program: URL;
  threads: number;
  /** With those whose job is in progress: a caller behind a longer queue would have given up. */
  mostWaiting: number;
  /** What a caller hears who is turned away. */
  tooMany: string;
}

/** A job that takes longer is given up, and its thread ends. */
export interface JobLimit {
  ms: number;
  refusal: () => Error;
}

/**
 * Threads for work that would block the main thread, each with one job at a time. They start with the jobs that need
 * them; idle ones do not keep the process alive.
 */
export class Threads<Job, Answer> {
  readonly #crew: Crew;
  #pool: Piscina<Numbered<Job>, Answer> | undefined;
  /** Of each job that is asked for: what follows when it begins. */
  readonly #jobs = new Map<number, () => void>();
  #asked = 0;

  constructor(crew: Crew) {
    this.#crew = crew;
  }

  /** Refused with 503: too many callers are waiting; and as the limit says. */
  async ask(job: Job, limit?: JobLimit): Promise<Answer> {
    if (this.#jobs.size >= this.#crew.mostWaiting) throw unavailable(this.#crew.tooMany);
    const number = ++this.#asked;
    const calledOff = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    // The time of a job does not count what was waited for others.
    this.#jobs.set(number, () => (timer = limit && setTimeout(() => calledOff.abort(), limit.ms)));
    try {
      return await this.#started().run({ number, job }, { signal: calledOff.signal });
    } catch (error) {
      if (limit && calledOff.signal.aborted) throw limit.refusal();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#jobs.delete(number);
    }
  }

  /** Refuses every caller that still waits. */
  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.destroy();
  }

  /** One thread at least: a pool that may have none leaves its line alone when its last one was ended. */
  #started(): Piscina<Numbered<Job>, Answer> {
    if (this.#pool) return this.#pool;
    const { program, threads } = this.#crew;
    const pool: Piscina<Numbered<Job>, Answer> = new Piscina({
      // Built, its ending is another one.
      filename: program.href + extname(import.meta.filename),
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: Infinity,
    });
    // An idle thread that ends is started again, and is nobody's fault.
    pool.on('error', () => undefined);
    pool.on('message', (number: number) => this.#jobs.get(number)?.());
    this.#pool = pool;
    return pool;
  }
}
