import { pathOf, type Client } from './client.ts';
import type { Again, AnswerNotKept, Done, Refused, SignedOut, Uncertain } from './results.ts';

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
}

/** What a caller puts into the queue. */
export interface NewJob {
  object: string;
  steps: readonly Step[];
  /**
   * Refused at its first step, and told to a cashier who waits, it is forgotten: no money was taken and no goods were
   * given for it. Absent: it is put aside for a person.
   */
  endsIfRefused?: boolean;
}

/** Where jobs wait. Each call is durable when it is answered, and whole or not at all. */
export interface JobStore {
  /** Every job, the oldest first. */
  read(): Promise<Job[]>;
  /** Gives a new job the next place. */
  add(job: Omit<Job, 'seq'>): Promise<Job>;
  write(job: Job): Promise<void>;
  remove(seq: number): Promise<void>;
}

export interface OutboxOptions {
  client: Client;
  store: JobStore;
  /** A job is carried out, also one that an earlier run of the program stored. */
  onDone?: (job: Job) => void;
  /** A step was refused: show the sentence, a person decides. Other objects go on. */
  onConflict?: (job: Job & { conflict: Refused }) => void;
  onDoubt?: (job: Job & { doubt: Uncertain }) => void;
  /**
   * A step was carried out, and nobody knows what it answered. Where a later step needs that, the job waits for
   * `learn`.
   */
  onUnread?: (job: Job & { unread: AnswerNotKept }) => void;
  /** Lets one at a time send, where several programs have one store: the tabs of a browser. */
  alone?: <Made>(work: () => Promise<Made>) => Promise<Made>;
}

/** How one pass over the queue ended. */
export interface Pass {
  sent: number;
  /** Why it stopped before the end of the queue; null: everything that could be sent was. */
  stopped: Again | SignedOut | null;
}

/** What became of a job within the time that the caller waited. */
export type JobEnd =
  | { kind: 'done'; kept: Job['kept'] }
  /** It is stored, and is sent as soon as it can be. */
  | { kind: 'waiting'; because: string }
  | Refused
  | Uncertain
  /** It is done, but for steps that need what only the answer told. */
  | AnswerNotKept
  | SignedOut;

export interface Outbox {
  /** Stores a job. When this is answered, the job survives a power cut. */
  put(job: NewJob): Promise<Job>;
  /** Stores a job, sends it in its turn, and waits for its end, but not longer than this. */
  run(job: NewJob, withinMs: number): Promise<JobEnd>;
  /** One pass: sends what waits, the oldest first. */
  send(): Promise<Pass>;
  /** Sends until the signal, after growing pauses; at once when a job is put. First thing after a restart. */
  keepSending(signal: AbortSignal): Promise<void>;
  /** What waits, with conflicts and doubts. */
  jobs(): Promise<Job[]>;
  /** A person decided: forget the job, or try its step again. */
  drop(seq: number): Promise<void>;
  again(seq: number): Promise<void>;
  /** The record was read: what a gone answer would have told, by the names of the step's `keeps`. The job goes on. */
  learn(seq: number, kept: Job['kept']): Promise<void>;
}

/** Store before send: the guide's rules 1 to 3 for a register that loses its line and its power. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { client, store } = options;
  const alone = options.alone ?? inTurn();
  const ends = new Map<number, (end: JobEnd) => void>();
  let wake = new AbortController();
  /** The job that is being sent. */
  let current: number | undefined;

  const tell = (job: Job, end: JobEnd) => {
    ends.get(job.seq)?.(end);
    ends.delete(job.seq);
  };

  const isForgotten = ({ seq, conflict, endsIfRefused, done }: Job) =>
    conflict !== null && endsIfRefused === true && done === 0 && ends.has(seq);

  const tellUnread = (job: Job, whereAllIsRead?: JobEnd) => {
    const unread = unreadOf(job);
    if (unread) options.onUnread?.({ ...job, unread });
    const end = unread ?? whereAllIsRead;
    if (end) tell(job, end);
  };

  /** Sends the steps of a job that are left. Answers what stopped it. */
  async function carryOut(
    job: Job,
    signal: AbortSignal | undefined,
  ): Promise<{ job: Job; stopped: Pass['stopped']; sent: number }> {
    let now = job;
    let sent = 0;
    for (let step = now.steps[now.done]; step !== undefined; step = now.steps[now.done]) {
      if (waitsForRecord(now)) break;
      const heard = await client.tryOnce({ ...step, path: pathOf(step.path, now.kept) }, signal);
      if (heard.kind === 'again' || heard.kind === 'signed_out') return { job: now, stopped: heard, sent };
      if (heard.kind === 'done' || heard.kind === 'answer_not_kept') {
        now = afterStep(now, step, heard);
        sent += 1;
      } else if (heard.kind === 'uncertain') now = { ...now, doubt: heard };
      else now = { ...now, conflict: heard, doubt: null };
      await store.write(now);
      if (heard.kind === 'refused' || heard.kind === 'uncertain') break;
    }
    return { job: now, stopped: null, sent };
  }

  async function finish(job: Job, jobs: Job[], at: number): Promise<void> {
    if (job.conflict && isForgotten(job)) {
      await store.remove(job.seq);
      tell(job, job.conflict);
    } else if (job.conflict) {
      options.onConflict?.({ ...job, conflict: job.conflict });
      tell(job, job.conflict);
    } else if (job.doubt) {
      options.onDoubt?.({ ...job, doubt: job.doubt });
      tell(job, job.doubt);
    } else if (job.done === job.steps.length) {
      // First the next one learns what it needs, then this one is forgotten: a crash between does both again.
      const nextAt = jobs.findIndex(({ object }, place) => place > at && object === job.object);
      const next = jobs[nextAt];
      if (next) jobs[nextAt] = { ...next, kept: { ...job.kept, ...next.kept }, unread: next.unread ?? unreadOf(job) };
      if (jobs[nextAt]) await store.write(jobs[nextAt]);
      await store.remove(job.seq);
      options.onDone?.(job);
      tellUnread(job, { kind: 'done', kept: job.kept });
    } else if (waitsForRecord(job)) tellUnread(job);
  }

  const pass = async (signal?: AbortSignal): Promise<Pass> => {
    const blocked = new Set<string>();
    const report: Pass = { sent: 0, stopped: null };
    let tried = 0;
    for (;;) {
      const jobs = (await store.read()).filter(({ seq }) => seq > tried);
      if (jobs.length === 0) return report;
      for (const [at, job] of jobs.entries()) {
        tried = job.seq;
        if (job.conflict) blocked.add(job.object);
        if (blocked.has(job.object)) continue;
        current = job.seq;
        const { job: now, stopped, sent } = await carryOut(job, signal);
        report.sent += sent;
        if (now.done < now.steps.length && !isForgotten(now)) blocked.add(job.object);
        if (stopped) report.stopped = stopped;
        // A fault over one object may be a fault of it alone: the others do not depend on it.
        if (stopped?.kind === 'signed_out') tell(job, stopped);
        if (stopped && !(stopped.kind === 'again' && stopped.status === 500)) return report;
        await finish(now, jobs, at);
      }
    }
  };

  const send = (signal?: AbortSignal) => alone(() => pass(signal));

  async function keepSending(signal: AbortSignal): Promise<void> {
    for (let tries = 0; !signal.aborted;) {
      wake = new AbortController();
      const { sent, stopped } = await send(signal);
      if (signal.aborted) return;
      tries = sent > 0 ? 1 : tries + 1;
      const asked = stopped?.kind === 'again' ? stopped : idle;
      await client.waitAfter(stopped ? tries : restful, asked, AbortSignal.any([signal, wake.signal]));
    }
  }

  const put: Outbox['put'] = async (given) => {
    const job = await store.add({ ...given, done: 0, kept: {}, conflict: null, doubt: null, unread: null });
    wake.abort();
    return job;
  };

  async function run(given: NewJob, withinMs: number): Promise<JobEnd> {
    const job = await put(given);
    let end: JobEnd | undefined;
    ends.set(job.seq, (found) => (end = found));
    const inTime = AbortSignal.timeout(withinMs);
    let because: string | undefined;
    for (let tries = 1; end === undefined && !inTime.aborted; tries++) {
      // Another pass may hang on a dead line: the cashier does not wait for it.
      const stopped = (await Promise.race([send(inTime), overAt(inTime)]))?.stopped;
      if (end !== undefined) break;
      if (stopped?.kind === 'signed_out') return stopped;
      if (stopped === null) because = 'An earlier request of it waits for a person.';
      else if (stopped) because = stopped.because;
      if (!stopped) break;
      await client.waitAfter(tries, stopped, inTime);
    }
    ends.delete(job.seq);
    const isBehind = current !== undefined && current < job.seq;
    because ??= isBehind ? 'An earlier request is still being sent.' : 'There was no answer in time.';
    return end ?? { kind: 'waiting', because };
  }

  const change = (seq: number, by: (job: Job) => Promise<void>) =>
    alone(async () => {
      const job = (await store.read()).find((one) => one.seq === seq);
      if (job) await by(job);
    });

  return {
    put,
    run,
    send: () => send(),
    keepSending,
    jobs: () => store.read(),
    drop: (seq) => change(seq, () => store.remove(seq)),
    async again(seq) {
      await change(seq, (job) => store.write({ ...job, conflict: null, doubt: null }));
      wake.abort();
    },
    async learn(seq, kept) {
      await change(seq, (job) => store.write({ ...job, kept: { ...job.kept, ...kept } }));
      wake.abort();
    },
  };
}

const overAt = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));

/** With nothing to send, it looks for new doubts and for other tabs' jobs each minute. */
const restful = 7;
const idle: Again = { kind: 'again', because: '', afterMs: null, status: null };

/** A step that was carried out is never sent again, whether its answer is there or not. */
const afterStep = (job: Job, step: Step, heard: Done<unknown> | AnswerNotKept): Job => ({
  ...job,
  done: job.done + 1,
  doubt: null,
  ...(heard.kind === 'done' ? { kept: { ...job.kept, ...keptOf(step, heard.value) } } : { unread: heard }),
});

/** Whether the next step needs what only an answer told that is gone. */
const waitsForRecord = ({ steps, done, kept, unread }: Job): boolean =>
  Boolean(unread) && namesIn(steps[done]?.path ?? '').some((name) => kept[name] === undefined);

/** Where an answer is gone, and something that it should have told is still unknown. */
function unreadOf({ steps, done, kept, unread }: Job): AnswerNotKept | null {
  const told = steps.slice(0, done).flatMap(({ keeps }) => Object.keys(keeps));
  const isMissing = [...told, ...namesIn(steps[done]?.path ?? '')].some((name) => kept[name] === undefined);
  return isMissing ? (unread ?? null) : null;
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function keptOf({ keeps }: Step, answer: unknown): Record<string, string | number> {
  const found = Object.entries(keeps).flatMap(([name, key]) => {
    const value: unknown = key === '' ? answer : key.split('.').reduce(inside, answer);
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}

const inside = (of: unknown, key: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, key) : undefined;

/** One after the other, within one program. */
function inTurn(): NonNullable<OutboxOptions['alone']> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const own = last.then(work, work);
    last = own.catch(() => undefined);
    return own;
  };
}

/** For tests, and for registers that keep nothing: what waits is lost with the program. */
export function memoryStore(jobs: Job[] = []): JobStore {
  const kept = new Map(jobs.map((job) => [job.seq, job]));
  let seq = Math.max(0, ...kept.keys());
  return {
    read: async () => [...kept.values()].toSorted((one, other) => one.seq - other.seq),
    async add(given) {
      const job = { ...given, seq: ++seq };
      kept.set(job.seq, job);
      return job;
    },
    async write(job) {
      kept.set(job.seq, job);
    },
    async remove(gone) {
      kept.delete(gone);
    },
  };
}
