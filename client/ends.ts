import type { DamagedEntry, EndedJob, Job, JobEnd, JobStore } from './jobs.ts';
import type { Again, AnswerNotKept, Refused, Uncertain } from './results.ts';

/**
 * What a register learns without asking. Each open program that shares the queue is called, also about the jobs of
 * the others: `by` of a job names the program that put it.
 */
export interface OutboxListeners {
  /** A job is carried out, also one that another or an earlier program put or sent. */
  onDone?: (job: Job) => void;
  /** A step was refused: show the sentence, a person decides. Other objects continue. */
  onConflict?: (job: Job & { conflict: Refused }) => void;
  onDoubt?: (job: Job & { doubt: Uncertain }) => void;
  /**
   * A step was carried out, and its answer was not stored. Where a later step needs that, the job is held for
   * `learn`.
   */
  onUnread?: (job: Job & { unread: AnswerNotKept }) => void;
  /** An entry of the store that is no job, such as an empty file, was set aside. The queue continues. */
  onDamaged?: (entry: DamagedEntry) => void;
  /** A request of the job was answered by something other than the service. It is sent again; other objects continue. */
  onForeign?: (job: Job, answer: Again) => void;
  /** The store failed, or a listener threw. The queue continues. Absent: it is written to the console. */
  onFault?: (error: unknown) => void;
}

export interface Ends {
  /** Calls the listeners about what is new in the store, from whichever program, and answers callers in `run`. */
  look(): Promise<void>;
  /** The same for one job that this program sent. */
  tellState(job: Job): void;
  tellEnd(job: EndedJob): Promise<void>;
  tellForeign(job: Job, answer: Again): void;
  /** Calls back once with the end of a job, or with what holds it. The answer cancels that. */
  await(seq: number, found: (end: JobEnd) => void): () => void;
  /** The job is put by this program: its end is looked for until it came. */
  expect(seq: number): void;
  isExpecting(): boolean;
  fault(error: unknown): void;
}

interface EndsOptions {
  store: JobStore;
  listeners: OutboxListeners;
  program: string;
  /** Why a job cannot continue until its record is read. */
  heldFor: (job: Job) => AnswerNotKept | null;
}

/** Stored ends that no program reads are bounded: the oldest that are simply done go first. */
const maxStoredEnds = 1_000;

/** An end whose program seems to run but never reads it: any other program has read it by then. */
const endsReadWithinMs = 24 * 60 * 60 * 1_000;

/** Passes on how jobs end: to the caller in `run`, and to the listeners of every program that is open. */
export function createEnds({ store, listeners, program, heldFor }: EndsOptions): Ends {
  const callers = new Map<number, (end: JobEnd) => void>();
  const expected = new Set<number>();
  /** The last report about each job, each damaged entry, and foreign answers. */
  const told = new Map<number | string, string>();
  const foreign = new Map<number, string>();
  const fault = (error: unknown) => (listeners.onFault ?? console.error)(error);

  const isNew = (of: number | string, what: string) => told.get(of) !== what && Boolean(told.set(of, what));
  const call = (listener: () => void): boolean => {
    try {
      listener();
      return true;
    } catch (error) {
      fault(error);
      return false;
    }
  };
  const answer = (seq: number, end: JobEnd): boolean => {
    const caller = callers.get(seq);
    callers.delete(seq);
    caller?.(end);
    return caller !== undefined;
  };

  function tellState(job: Job): void {
    const { seq, conflict, doubt } = job;
    const held = heldFor(job);
    const state = conflict ?? doubt ?? held;
    if (!state) return;
    if (isNew(seq, `${state.kind} ${job.done} ${state.requestId}`))
      call(() => {
        if (conflict) listeners.onConflict?.({ ...job, conflict });
        else if (doubt) listeners.onDoubt?.({ ...job, doubt });
        else if (held) listeners.onUnread?.({ ...job, unread: held });
      });
    answer(seq, state);
  }

  /** Whether a listener of this program was called about the end, or needs not be. */
  function callAbout(job: EndedJob, hasCaller: boolean): boolean {
    const { end } = job;
    if (end.kind === 'dropped') return true;
    if (end.kind === 'refused')
      return (
        hasCaller || (listeners.onConflict ? call(() => listeners.onConflict?.({ ...job, conflict: end })) : false)
      );
    let isRead = hasCaller;
    if (listeners.onDone) isRead = call(() => listeners.onDone?.(job)) || isRead;
    if (end.kind === 'answer_not_kept' && listeners.onUnread)
      isRead = call(() => listeners.onUnread?.({ ...job, unread: end })) || isRead;
    return isRead;
  }

  async function tellEnd(job: EndedJob): Promise<void> {
    const { seq, by, end, endedAt } = job;
    const isOwn = by === undefined || by === program;
    const isOurs = isOwn || !(await store.isRunning(by));
    expected.delete(seq);
    const isFirst = told.get(seq) !== 'ended' && told.get(seq) !== 'unread';
    // A refusal before anything was done is for the cashier who asked; where that program is gone, for the next one.
    if (end.kind === 'refused' && !isOurs) return;
    if (isFirst) {
      told.set(seq, callAbout(job, callers.has(seq)) ? 'ended' : 'unread');
    }
    answer(seq, end);
    const isRead = told.get(seq) === 'ended';
    if (isRead && (isOurs || endedAt < Date.now() - endsReadWithinMs)) {
      await store.forgetEnd(seq);
      told.delete(seq);
    }
  }

  async function look(): Promise<void> {
    const ends = await store.ends();
    for (const job of ends) await tellEnd(job);
    const unneeded = ends.filter(({ end }) => end.kind === 'done').slice(0, Math.max(0, ends.length - maxStoredEnds));
    for (const { seq } of unneeded) await store.forgetEnd(seq);
    const jobs = await store.read();
    for (const job of jobs) tellState(job);
    for (const entry of await store.damaged())
      if (isNew(entry.name, entry.because)) call(() => listeners.onDamaged?.(entry));
    const present = new Set([...ends, ...jobs].map(({ seq }) => seq));
    for (const of of told.keys()) if (typeof of === 'number' && !present.has(of)) told.delete(of);
    for (const seq of foreign.keys()) if (!present.has(seq)) foreign.delete(seq);
    for (const seq of expected) if (!present.has(seq)) expected.delete(seq);
  }

  return {
    ...{ look, tellState, tellEnd, fault },
    tellForeign(job, heard) {
      if (foreign.get(job.seq) === heard.because) return;
      foreign.set(job.seq, heard.because);
      call(() => listeners.onForeign?.(job, heard));
    },
    await(seq, found) {
      callers.set(seq, found);
      return () => callers.delete(seq);
    },
    expect: (seq) => void expected.add(seq),
    isExpecting: () => expected.size > 0,
  };
}
