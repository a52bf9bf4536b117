import { Worker } from 'node:worker_threads';
import { unavailable } from '../domain/errors.ts';

export interface Crew<Group extends string> {
  /** What a thread runs: it answers each message with one message. */
  file: URL;
  /** For each thread: the groups of callers it serves, the first one first. */
  serves: readonly (readonly Group[])[];
  /** By group, with those whose job is in progress: a caller behind a longer queue would have given up. */
  mostWaiting: Readonly<Record<Group, number>>;
  /** What a caller hears who is turned away. */
  tooMany: string;
  /** What a caller hears whose thread ended. */
  ended: string;
}

/** A job that takes longer is given up, and its thread ends. */
export interface JobLimit {
  ms: number;
  refusal: () => Error;
}

interface Waiting<Job, Answer> {
  job: Job;
  limit: JobLimit | undefined;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

interface Hand<Job, Answer, Group> {
  worker: Worker;
  /** The job in progress. */
  now: { caller: Waiting<Job, Answer>; group: Group } | undefined;
  /** Ends the job in progress. */
  timer?: NodeJS.Timeout | undefined;
}

/**
 * Threads for work that would block the main thread, each with one job at a time. A thread starts with its first job; an
 * idle one does not keep the process alive.
 */
export class Threads<Job, Answer, Group extends string> {
  readonly #crew: Crew<Group>;
  #hands: (Hand<Job, Answer, Group> | undefined)[] = [];
  readonly #lines = new Map<Group, Waiting<Job, Answer>[]>();

  constructor(crew: Crew<Group>) {
    this.#crew = crew;
  }

  /** Refused with 503: too many callers of that group are waiting; and as the limit says. */
  ask(job: Job, group: Group, limit?: JobLimit): Promise<Answer> {
    const working = this.#hands.filter((hand) => hand?.now?.group === group).length;
    if (this.#lineOf(group).length + working >= this.#crew.mostWaiting[group])
      return Promise.reject(unavailable(this.#crew.tooMany));
    return new Promise((resolve, reject) => {
      this.#lineOf(group).push({ job, limit, resolve, reject });
      for (const at of this.#crew.serves.keys()) this.#begin(at);
    });
  }

  /** Refuses every caller that still waits. */
  async close(): Promise<void> {
    const waiting = [...this.#lines.values()].flatMap((line) => line.splice(0));
    for (const { reject } of waiting) reject(this.#ended());
    const hands = this.#hands;
    this.#hands = [];
    await Promise.all(hands.map(async (hand) => hand?.worker.terminate()));
  }

  #lineOf(group: Group): Waiting<Job, Answer>[] {
    const known = this.#lines.get(group);
    if (known) return known;
    const line: Waiting<Job, Answer>[] = [];
    this.#lines.set(group, line);
    return line;
  }

  #begin(at: number): void {
    if (this.#hands[at]?.now) return;
    const group = this.#crew.serves[at]?.find((one) => this.#lineOf(one).length > 0);
    const caller = group && this.#lineOf(group).shift();
    if (!caller) return;
    const hand = (this.#hands[at] ??= this.#hire(at));
    hand.now = { caller, group };
    hand.worker.ref();
    hand.worker.postMessage(caller.job);
    const { limit } = caller;
    if (limit) hand.timer = setTimeout(() => this.#giveUp(hand, limit), limit.ms);
  }

  /** The caller hears why at once; the next job begins once the thread is gone. */
  #giveUp(hand: Hand<Job, Answer, Group>, { refusal }: JobLimit): void {
    hand.worker.removeAllListeners('message');
    hand.now?.caller.reject(refusal());
    void hand.worker.terminate();
  }

  #hire(at: number): Hand<Job, Answer, Group> {
    const worker = new Worker(this.#crew.file);
    const hand: Hand<Job, Answer, Group> = { worker, now: undefined };
    worker.on('message', (answer: Answer) => {
      hand.now?.caller.resolve(answer);
      this.#next(at, hand);
    });
    // When a thread dies, its job fails; the next job gets a new thread.
    const dismiss = (error: Error) => {
      if (this.#hands[at] === hand) this.#hands[at] = undefined;
      hand.now?.caller.reject(error);
      this.#next(at, hand);
    };
    worker.once('error', dismiss);
    worker.once('exit', () => dismiss(this.#ended()));
    worker.unref();
    return hand;
  }

  #next(at: number, hand: Hand<Job, Answer, Group>): void {
    clearTimeout(hand.timer);
    hand.now = undefined;
    hand.worker.unref();
    this.#begin(at);
  }

  #ended = () => new Error(this.#crew.ended);
}
