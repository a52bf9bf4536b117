import { pathOf, type Client } from './client.ts';
import { createEnds, type OutboxListeners } from './ends.ts';
import {
  inTurn,
  type DamagedEntry,
  type EndedJob,
  type Job,
  type JobEnd,
  type JobStore,
  type NewJob,
  type Step,
} from './jobs.ts';
import type { Again, AnswerNotKept, Done, SignedOut } from './results.ts';

export { memoryStore, type Job, type JobEnd, type JobStore, type NewJob, type Step } from './jobs.ts';

export interface OutboxOptions extends OutboxListeners {
  client: Client;
  store: JobStore;
  /** Lets one program at a time send. Absent: the store's own, by which tabs and processes take turns. */
  alone?: <Made>(work: () => Promise<Made>) => Promise<Made>;
}

/** How one pass over the queue ended. */
export interface Pass {
  sent: number;
  /** Why it stopped before the end of the queue, or left a job out; null: everything that could be sent was. */
  stopped: Again | SignedOut | null;
}

export interface Outbox {
  /** Names this program among those that share the store. */
  program: string;
  /** Stores a job. When this is answered, the job survives a power cut. */
  put(job: NewJob): Promise<Job>;
  /** Stores a job, sends it in its turn, and waits for its end, but not longer than this. Any program may send it. */
  run(job: NewJob, withinMs: number): Promise<JobEnd>;
  /** One pass: sends what waits, the oldest first. Then the listeners are called about what ended elsewhere. */
  send(): Promise<Pass>;
  /** Sends until the signal, after growing pauses; at once when a job is put. First thing after a restart. */
  keepSending(signal: AbortSignal): Promise<void>;
  /** What is queued, with conflicts and doubts. */
  jobs(): Promise<Job[]>;
  /**
   * The ends that have not been read, also those of other and of earlier programs. An end is read when `run` returned
   * it or its program's listener was called; `read` says the same for a program without listeners.
   */
  ends(): Promise<EndedJob[]>;
  read(seq: number): Promise<void>;
  /** What was found in the store that is no job. It stays as it was found. */
  damaged(): Promise<DamagedEntry[]>;
  /** A person decided: forget the job, or try its step again. */
  drop(seq: number): Promise<void>;
  again(seq: number): Promise<void>;
  /** The record was read: what a gone answer would have told, by the names of the step's `keeps`. The job continues. */
  learn(seq: number, kept: Job['kept']): Promise<void>;
}

/** How often a program looks whether another one ended its jobs. */
const looksEachMs = { whileCallerWaits: 200, whileSending: 1_000 };

/** Store before send: the guide's rules 1 to 3 for a register that loses its line and its power. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { client, store } = options;
  const alone = options.alone ?? store.alone ?? inTurn();
  const program = store.enter();
  const ends = createEnds({ store, listeners: options, program, heldFor });
  let wake = new AbortController();
  /** The job that is being sent. */
  let current: number | undefined;

  /** Sends the steps of a job that are left. Answers what stopped it. A refusal is stored by `finish`. */
  async function carryOut(
    job: Job,
    signal: AbortSignal | undefined,
  ): Promise<{ job: Job; stopped: Pass['stopped']; sent: number }> {
    let now = job;
    let sent = 0;
    for (let step = now.steps[now.done]; step !== undefined; step = now.steps[now.done]) {
      if (lacksAnswer(now)) {
        if (!now.unread) await store.write((now = { ...now, unread: incomplete }));
        break;
      }
      const heard = await client.tryOnce(filled(step, now.kept), signal);
      if (heard.kind === 'again' || heard.kind === 'signed_out') return { job: now, stopped: heard, sent };
      if (heard.kind === 'done' || heard.kind === 'answer_not_kept') {
        now = afterStep(now, step, heard);
        sent += 1;
      } else if (heard.kind === 'uncertain') now = { ...now, doubt: heard };
      else return { job: { ...now, conflict: heard, doubt: null }, stopped: null, sent };
      await store.write(now);
      if (heard.kind === 'uncertain') break;
    }
    return { job: now, stopped: null, sent };
  }

  async function end(job: Job, how: EndedJob['end']): Promise<void> {
    const ended = { ...job, end: how, endedAt: Date.now() };
    // First stored, then told: a crash between tells it after the restart.
    await (job.storesEnd === false ? store.remove(job.seq) : store.end(ended));
    await ends.tellEnd(ended);
  }

  async function finish(job: Job, jobs: Job[], at: number): Promise<void> {
    // A refusal for the cashier who waits is never a stored conflict, which other programs would report.
    if (job.conflict && isForgotten(job)) return end(job, job.conflict);
    if (job.conflict) await store.write(job);
    if (job.conflict || job.doubt || job.done < job.steps.length) return ends.tellState(job);
    // First the next one learns what it needs, then this one is forgotten: a crash between does both again.
    const nextAt = jobs.findIndex(({ object }, place) => place > at && object === job.object);
    const next = jobs[nextAt];
    if (next) jobs[nextAt] = { ...next, kept: { ...job.kept, ...next.kept }, unread: next.unread ?? unreadOf(job) };
    if (jobs[nextAt]) await store.write(jobs[nextAt]);
    await end(job, unreadOf(job) ?? { kind: 'done', kept: job.kept });
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
        if (stopped?.kind === 'again' && stopped.isForeign) ends.tellForeign(now, stopped);
        if (stopped && !isOfOneObject(stopped)) return report;
        await finish(now, jobs, at);
      }
    }
  };

  const send = async (signal?: AbortSignal): Promise<Pass> => {
    const sent = await alone(() => pass(signal));
    await ends.look();
    return sent;
  };

  const storeFailed = (error: unknown): Pass => {
    ends.fault(error);
    return { sent: 0, stopped: { ...idle, because: 'The store failed.' } };
  };

  async function keepSending(signal: AbortSignal): Promise<void> {
    const looking = lookEach(looksEachMs.whileSending, async () => {
      if (ends.isExpecting()) await ends.look();
    });
    for (let tries = 0; !signal.aborted;) {
      wake = new AbortController();
      // A store that fails, as on a full disk, may work again at the next pass.
      const { sent, stopped } = await send(signal).catch(storeFailed);
      if (signal.aborted) break;
      tries = sent > 0 ? 1 : tries + 1;
      const asked = stopped?.kind === 'again' ? stopped : idle;
      await client.waitAfter(stopped ? tries : restful, asked, AbortSignal.any([signal, wake.signal]));
    }
    clearInterval(looking);
  }

  function lookEach(ms: number, look: () => Promise<void>): ReturnType<typeof setInterval> {
    let isLooking = false;
    return setInterval(() => {
      if (isLooking) return;
      isLooking = true;
      void look()
        .catch((error: unknown) => ends.fault(error))
        .finally(() => (isLooking = false));
    }, ms);
  }

  const isToldOfEnds = Boolean(options.onDone ?? options.onUnread);

  async function add(given: NewJob, more: Pick<Job, 'storesEnd' | 'awaitedUntil'>): Promise<Job> {
    const job = { ...given, done: 0, kept: {}, conflict: null, doubt: null, unread: null, by: program, ...more };
    return store.add(job);
  }

  const put: Outbox['put'] = async (given) => {
    const job = await add(given, { storesEnd: isToldOfEnds });
    if (isToldOfEnds) ends.expect(job.seq);
    wake.abort();
    return job;
  };

  async function run(given: NewJob, withinMs: number): Promise<JobEnd> {
    const inTime = AbortSignal.timeout(withinMs);
    const job = await add(given, { storesEnd: true, awaitedUntil: Date.now() + withinMs });
    let found: JobEnd | undefined;
    const over = new AbortController();
    const cancel = ends.await(job.seq, (end) => {
      found = end;
      over.abort();
    });
    wake.abort();
    // Another program that has the queue may send it, and end it.
    const looking = lookEach(looksEachMs.whileCallerWaits, () => ends.look());
    try {
      const because = await sendUntil(AbortSignal.any([inTime, over.signal]), inTime);
      if (found === undefined && typeof because === 'string') await ends.look();
      if (found !== undefined) return found;
      if (typeof because !== 'string') return because;
      const isBehind = current !== undefined && current < job.seq;
      const isLate = because === '';
      if (!isLate) return { kind: 'waiting', because };
      return { kind: 'waiting', because: isBehind ? 'An earlier request is still being sent.' : noAnswer };
    } finally {
      clearInterval(looking);
      cancel();
      ends.expect(job.seq);
    }
  }

  /** Passes until the job of a caller ended or the time is over. Answers why it did not end; `''`: time. */
  async function sendUntil(isOver: AbortSignal, inTime: AbortSignal): Promise<string | SignedOut> {
    let because = '';
    for (let tries = 1; !isOver.aborted; tries++) {
      // Another pass may hang on a dead line: the cashier does not wait for it.
      const made = await Promise.race([send(inTime).catch(storeFailed), overAt(isOver)]);
      if (!made || isOver.aborted) return because;
      const { stopped } = made;
      if (stopped === null) return 'An earlier request of it waits for a person.';
      if (stopped.kind === 'signed_out') return stopped;
      because = stopped.because;
      await client.waitAfter(tries, stopped, isOver);
    }
    return because;
  }

  const change = (seq: number, by: (job: Job) => Promise<void>) =>
    alone(async () => {
      const job = (await store.read()).find((one) => one.seq === seq);
      if (job) await by(job);
    });

  return {
    ...{ program, put, run, keepSending },
    send: () => send(),
    jobs: () => store.read(),
    ends: () => store.ends(),
    read: (seq) => store.forgetEnd(seq),
    damaged: () => store.damaged(),
    drop: (seq) => change(seq, (job) => (isAwaited(job) ? end(job, dropped) : store.remove(seq))),
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

const noAnswer = 'There was no answer in time.';
const dropped = { kind: 'dropped', sentence: 'A person removed this from the queue. It is not sent.' } as const;

const isAwaited = ({ awaitedUntil = 0 }: Job) => awaitedUntil > Date.now();

/** Refused before anything was done, while the cashier who asked waits for the answer. */
const isForgotten = (job: Job) =>
  job.conflict !== null && job.endsIfRefused === true && job.done === 0 && isAwaited(job);

/** A fault over one object may be a fault of it alone: the others do not depend on it. */
const isOfOneObject = (stopped: Again | SignedOut) =>
  stopped.kind === 'again' && (stopped.status === 500 || stopped.isForeign === true);

const overAt = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });

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

/** An answer without what a later step needs, as of a service of another version, is read from the record, too. */
const incomplete: AnswerNotKept = {
  ...{ kind: 'answer_not_kept', outcome: 'idempotency_answer_not_kept', requestId: '' },
  sentence: 'This request was carried out. Its answer lacks what the next request needs; read the record.',
};

/** Whether the next step needs what no answer told. */
const lacksAnswer = ({ steps, done, kept }: Job): boolean =>
  namesIn(steps[done]?.path ?? '').some((name) => kept[name] === undefined);

/** Why a job is held until its record is read. */
const heldFor = (job: Job): AnswerNotKept | null => (lacksAnswer(job) ? job.unread : null);

/** Where an answer is gone, and something that it should have told is still unknown. */
function unreadOf({ steps, done, kept, unread }: Job): AnswerNotKept | null {
  const told = steps.slice(0, done).flatMap(({ keeps }) => Object.keys(keeps));
  const isMissing = [...told, ...namesIn(steps[done]?.path ?? '')].some((name) => kept[name] === undefined);
  return isMissing ? (unread ?? null) : null;
}

/** The request with what earlier answers told. Word for word the same each time: what was told does not change. */
function filled(step: Step, kept: Job['kept']): Step {
  const path = pathOf(step.path, kept);
  if (step.body === null || step.fills === undefined) return { ...step, path };
  const body: unknown = JSON.parse(step.body);
  for (const [place, name] of Object.entries(step.fills)) {
    const keys = place.split('.');
    const last = keys.pop() ?? '';
    const target = keys.reduce(inside, body);
    if (typeof target === 'object' && target !== null && kept[name] !== undefined)
      Reflect.set(target, last, kept[name]);
  }
  return { ...step, path, body: JSON.stringify(body) };
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
