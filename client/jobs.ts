import type { AnswerNotKept, Refused, SignedOut, Uncertain } from './results.ts';

/** One request of a job, as it will be sent, word for word. `{orderId}` in its path is what an earlier step kept. */
export interface Step {
  name: string;
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** The JSON text. */
  body: string | null;
  key: string;
  /** What later steps need of the answer: the name here, and the key there; `''` is the whole answer. */
  keeps: Readonly<Record<string, string>>;
  /** What is filled into the body from earlier answers: the place there, as `receipt.layaway_total_paid`, and the name. */
  fills?: Readonly<Record<string, string>>;
}

/** The requests of one thing that the cashier did, in their order. It is stored whole, before any of it is sent. */
export interface Job {
  /** Its place in the queue. */
  seq: number;
  /** What it is about, such as a sale: jobs of one object are sent one after the other. */
  object: string;
  steps: readonly Step[];
  /** How many steps are answered. */
  done: number;
  kept: Readonly<Record<string, string | number>>;
  /** Why a person must look: the service refused a step. Later jobs of the object wait. */
  conflict: Refused | null;
  /** The service does not know how the step ended. It is asked again. */
  doubt: Uncertain | null;
  /** A step was carried out, and its answer is gone: what it `keeps` must be read from the record. See `learn`. */
  unread: AnswerNotKept | null;
  /** See `NewJob`. */
  endsIfRefused?: boolean;
  /** The program that put it, which its end is stored for. */
  by?: string;
  /** Until when a cashier of that program waits for its end, in milliseconds since 1970. */
  awaitedUntil?: number;
  /** False: its program reads no ends, so none is stored. */
  storesEnd?: boolean;
}

/** What a caller puts into the queue. */
export interface NewJob {
  object: string;
  steps: readonly Step[];
  /**
   * Refused at its first step while a cashier waits for it, it is forgotten: no money was taken and no goods were
   * given for it. Absent: it is put aside for a person.
   */
  endsIfRefused?: boolean;
}

/** What became of a job within the time that the caller waited. */
export type JobEnd =
  | { kind: 'done'; kept: Job['kept'] }
  /** It is stored, and is sent as soon as it can be. */
  | { kind: 'waiting'; because: string }
  /** A person removed it from the queue in another program. What is left of it is not sent. */
  | { kind: 'dropped'; sentence: string }
  | Refused
  | Uncertain
  /** It is done, but for steps that need what only the answer told. */
  | AnswerNotKept
  | SignedOut;

/** A job that left the queue. It is stored until its end has been read. */
export interface EndedJob extends Job {
  end: Exclude<JobEnd, Uncertain | SignedOut | { kind: 'waiting' }>;
  /** In milliseconds since 1970. */
  endedAt: number;
}

/** What was found among the jobs and is none. It is kept as it was found, for a person. */
export interface DamagedEntry {
  /** The file or the key. */
  name: string;
  because: string;
  /** Its first 2,000 characters. */
  text: string;
}

/** Where jobs are stored. Each call is durable when it is answered, and whole or not at all. */
export interface JobStore {
  /** Every job, the oldest first. An entry that is no job is set aside, and never ends the reading. */
  read(): Promise<Job[]>;
  /** Gives a new job the next place. */
  add(job: Omit<Job, 'seq'>): Promise<Job>;
  /** Replaces a job. A job that was removed meanwhile stays removed. */
  write(job: Job): Promise<void>;
  remove(seq: number): Promise<void>;
  /** Removes a job from the queue and stores how it ended. A repeat changes nothing. */
  end(job: EndedJob): Promise<void>;
  /** The ends that have not been read, the oldest job first. */
  ends(): Promise<EndedJob[]>;
  /** The end has been read. */
  forgetEnd(seq: number): Promise<void>;
  /** What was found that is no job. */
  damaged(): Promise<DamagedEntry[]>;
  /** Names this program among those that share the store. */
  enter(): string;
  /** Whether the program of this name still runs. */
  isRunning(program: string): Promise<boolean>;
  /** Lets one program at a time send. Absent: one program has the store. */
  alone?: <Made>(work: () => Promise<Made>) => Promise<Made>;
}

/** Why this is no job; undefined where it is one. A newer or a foreign program may have written it. */
export function faultOfJob(value: unknown): string | undefined {
  if (!isObject(value)) return 'It is not an object.';
  const { seq, object, steps, done, kept } = value;
  if (!isWhole(seq)) return '`seq` is not a whole number.';
  if (typeof object !== 'string') return '`object` is not a text.';
  if (!Array.isArray(steps) || !steps.every(isStep)) return '`steps` are not requests.';
  if (!isWhole(done) || done > steps.length) return '`done` is not a number of steps.';
  if (!isObject(kept) || !Object.values(kept).every(isTold)) return '`kept` is not what answers told.';
  return undefined;
}

/** The same for a job that left the queue. */
export const faultOfEnd = (value: unknown): string | undefined =>
  faultOfJob(value) ?? (isObject(value) && isObject(value['end']) ? undefined : '`end` is not an end.');

/** A stored job with what a hand-made or older entry may leave out. */
export const withDefaults = <Kept extends Job>(job: Kept): Kept => ({
  ...job,
  conflict: job.conflict ?? null,
  doubt: job.doubt ?? null,
  unread: job.unread ?? null,
});

export const damagedEntry = (name: string, because: string, text: string): DamagedEntry => ({
  ...{ name, because },
  text: text.slice(0, maxShownCharacters),
});

const maxShownCharacters = 2_000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isTold = (value: unknown) => typeof value === 'string' || typeof value === 'number';

const isStep = (value: unknown): value is Step =>
  isObject(value) &&
  ['name', 'method', 'path', 'key'].every((key) => typeof value[key] === 'string') &&
  (value['body'] === null || typeof value['body'] === 'string') &&
  isObject(value['keeps']) &&
  Object.values(value['keeps']).every((key) => typeof key === 'string');

/** One after the other, within one program. */
export function inTurn(): <Made>(work: () => Promise<Made>) => Promise<Made> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const own = last.then(work, work);
    last = own.catch(() => undefined);
    return own;
  };
}

/** For tests, and for registers that keep nothing: the queue is lost with the program. */
export function memoryStore(jobs: Job[] = []): JobStore {
  const kept = new Map(jobs.map((job) => [job.seq, job]));
  const ended = new Map<number, EndedJob>();
  let seq = Math.max(0, ...kept.keys());
  const inOrder = <Entry extends Job>(entries: Map<number, Entry>) =>
    [...entries.values()].toSorted((one, other) => one.seq - other.seq);
  return {
    read: async () => inOrder(kept),
    async add(given) {
      const job = { ...given, seq: ++seq };
      kept.set(job.seq, job);
      return job;
    },
    async write(job) {
      if (kept.has(job.seq)) kept.set(job.seq, job);
    },
    async remove(gone) {
      kept.delete(gone);
    },
    async end(job) {
      kept.delete(job.seq);
      ended.set(job.seq, job);
    },
    ends: async () => inOrder(ended),
    async forgetEnd(read) {
      ended.delete(read);
    },
    damaged: async () => [],
    enter: () => crypto.randomUUID(),
    // All programs of one memory live and end together.
    isRunning: async () => true,
    alone: inTurn(),
  };
}
