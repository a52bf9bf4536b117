import {
  condition,
  continueAsNew,
  isCancellation,
  log,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { CreditActivities } from '../activities/credits.ts';
import type { HousekeepingActivities } from '../activities/housekeeping/take-up-lost-runs.ts';
import { markdownLiteral } from '../domain/markdown-literal.ts';
import {
  housekeepingSummary,
  lookNowUpdate,
  pauseSignal,
  resumeSignal,
  type HousekeepingInput,
  type Looked,
  type LookRequest,
} from './messages.ts';
import { comparing, lookingAround, startDetached, sweeping, waking } from './support/activity-options.ts';
import { Renewal } from './support/renewal.ts';

/** What housekeeping's page shows. */
interface HousekeepingView {
  isPaused?: boolean;
  last: Looked;
  /** When that was, in milliseconds by the worker's clock; 0: not yet. */
  lastAt: number;
  /** Parts that take longer than a look, and run beside it. */
  busy: Set<string>;
  /** What those did last. */
  beside: Record<string, string>;
}

/** The text of the workflow's page: what the last look did, and what could not be done. */
function housekeepingDetails({ last, lastAt, isPaused, beside, busy }: HousekeepingView): string {
  const counts = Object.entries(last.counts).map(([kind, count]) => `${count} ${kind}`);
  const lines = [
    isPaused === true
      ? '### Paused: nothing is looked at until the signal `resume`'
      : '### Looks each minute for work that nobody continues',
    '',
    `- Last look ${new Date(lastAt).toISOString()}: ${counts.length === 0 ? 'nothing was left over' : `woke ${counts.join(', ')}`}.`,
  ];
  if (last.failed.length > 0)
    lines.push(
      `- Could not be done: ${last.failed.map((part) => markdownLiteral(part)).join(', ')}. The worker’s log says why; it is tried again.`,
    );
  for (const [name, result] of Object.entries(beside)) lines.push(`- ${name}: ${result}.`);
  if (busy.size > 0) lines.push(`- Under way: ${[...busy].join(', ')}.`);
  return lines.join('\n');
}

const { findWork } = proxyLocalActivities<HousekeepingActivities>(lookingAround);
const { wakeWork } = proxyActivities<HousekeepingActivities>(waking);
const { takeUpLostRuns } = proxyActivities<HousekeepingActivities>({
  ...comparing,
  summary: 'take up what was terminated, cancelled or failed',
});
const { compareRuns } = proxyActivities<HousekeepingActivities>({
  ...comparing,
  summary: 'compare the books with the workflows that run',
});
const { deliverCreditReturns, bookDuePoints } = proxyActivities<CreditActivities>(sweeping);

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Its memory, beside what goes on to the next run. */
interface Notes extends HousekeepingInput, HousekeepingView {
  asked: number;
  answered: number;
  wantsEverything: boolean;
  /** When this run first looked. */
  beganAt: number;
}

/**
 * One life for the whole shop: each minute it looks for work that a crash, a terminate or an outage left to nobody, and
 * wakes it. Each hour it looks for workflows that were ended from outside, each day it compares the books with what
 * runs.
 *
 * Whatever fails is tried again a minute later, and stops neither another part nor the loop. An idle minute costs six
 * events; a run ends after a day at the latest, and the next one goes on from its progress. Each worker starts it, and
 * so does a schedule every hour.
 */
export async function housekeeping(from: HousekeepingInput = {}): Promise<void> {
  const notes: Notes = {
    ...from,
    ...{ asked: 0, answered: 0, wantsEverything: false, beganAt: 0, lastAt: 0 },
    last: { counts: {}, failed: [] },
    busy: new Set(),
    beside: {},
  };
  registerHandlers(notes);
  const { renewAfterMs = dayMs } = from;
  const renewal = new Renewal(() => notes.lastAt - notes.beganAt >= renewAfterMs);
  // A request that came with the start is part of the first look.
  await Promise.resolve();
  for (;;) {
    const turn = notes.asked;
    const isRequested = turn > notes.answered;
    if (isRequested || notes.isPaused !== true) {
      await sweep(notes);
      lookFurther(notes);
    }
    notes.answered = turn;
    setCurrentDetails(housekeepingDetails(notes));
    if (!renewal.isSuggested) await untilTheNext(notes);
    else if (await isTimeToRenew(notes, renewal)) await continueAsNew<typeof housekeeping>(progressOf(notes));
  }
}

/** Nothing is asked for, and nothing runs beside the loop. */
const isQuiet = ({ busy, asked, answered }: Notes) => busy.size === 0 && asked === answered;

function registerHandlers(notes: Notes): void {
  setHandler(
    lookNowUpdate,
    // An operator may send it without an argument.
    async ({ everything = false }: LookRequest = {}) => {
      notes.wantsEverything ||= everything;
      const turn = ++notes.asked;
      await condition(() => notes.answered >= turn && isQuiet(notes));
      return notes.last;
    },
    { description: 'Looks now. {"everything": true}: also for lost workflows, and compares the books with what runs.' },
  );
  setHandler(pauseSignal, () => void (notes.isPaused = true), { description: 'Looks at nothing until resume.' });
  setHandler(resumeSignal, () => void (notes.isPaused = false), { description: 'Looks each minute again.' });
}

async function untilTheNext(notes: Notes): Promise<void> {
  const isRequested = () => notes.asked > notes.answered;
  if (notes.isPaused === true) await condition(() => isRequested() || notes.isPaused !== true);
  else await condition(isRequested, notes.everyMs ?? minuteMs, { summary: 'until the next look' });
}

/** The minute's look. */
async function sweep(notes: Notes): Promise<void> {
  try {
    const found = await findWork();
    notes.lastAt = found.at;
    notes.beganAt ||= found.at;
    notes.last = { counts: {}, failed: found.failed };
    if (found.hasCreditWork) settleCredit(notes);
    if (!hasAny(found)) return;
    const { counts, failed } = await wakeWork(found);
    notes.last = { counts, failed: [...found.failed, ...failed] };
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('a look failed; the next one comes in a minute', { error });
    notes.last = { counts: {}, failed: ['everything'] };
  }
}

const hasAny = (found: object) => Object.entries(found).some(([name, ids]) => name !== 'failed' && isFilled(ids));
const isFilled = (ids: unknown) => Array.isArray(ids) && ids.length > 0;

/**
 * Each hour and each day; they take longer than a minute where there is much, so the loop does not wait. What they find
 * is started by a look at once.
 */
function lookFurther(notes: Notes): void {
  const now = notes.lastAt;
  const isDue = (at: number | undefined, everyMs: number) => notes.wantsEverything || now - (at ?? 0) >= everyMs;
  if (isDue(notes.lookedForLostAt, hourMs)) {
    notes.lookedForLostAt = now;
    beside(notes, 'lost workflows', async () => {
      const since = notes.lostUntil;
      const { until, ended, takenUp } = await takeUpLostRuns(since === undefined ? {} : { since });
      if (until !== undefined) notes.lostUntil = until;
      if (takenUp > 0) notes.asked++;
      return `${ended} were ended from outside, ${takenUp} of these are taken up again`;
    });
  }
  if (isDue(notes.comparedAt, dayMs)) {
    notes.comparedAt = now;
    beside(notes, 'comparison', async () => {
      const { lost, left } = await compareRuns();
      if (lost > 0) notes.asked++;
      return `${lost} records had lost their workflow, ${left} workflows had missed an end`;
    });
  }
  notes.wantsEverything = false;
}

/**
 * Points need no outside service, so they never wait for one that is silent. The next look finds what cannot be done
 * now.
 */
function settleCredit(notes: Notes): void {
  beside(notes, 'points', async () => `${await bookDuePoints()} orders got their points`);
  beside(notes, 'credit', async () => `${await deliverCreditReturns()} amounts went back`);
}

/** Runs a part beside the loop, once at a time. A failure is shown; when it is due again it is tried again. */
function beside(notes: Notes, name: string, work: () => Promise<string>): void {
  if (notes.busy.has(name)) return;
  notes.busy.add(name);
  void work()
    .catch((error: unknown) => {
      if (!isCancellation(error)) log.warn('a part of housekeeping failed', { name, error });
      return 'failed; the worker’s log says why';
    })
    .then((result) => {
      notes.beside[name] = result;
      notes.busy.delete(name);
      setCurrentDetails(housekeepingDetails(notes));
    });
}

/**
 * What runs beside the loop is awaited first, in place of the pause before the next look: work may be due in every
 * look, so a look alone never finds a quiet moment.
 */
async function isTimeToRenew(notes: Notes, renewal: Renewal): Promise<boolean> {
  const { busy } = notes;
  const isRequested = () => notes.asked > notes.answered;
  const pause = { summary: 'until the parts that run beside the loop are done' };
  if (busy.size > 0) await condition(() => busy.size === 0 || isRequested(), notes.everyMs ?? minuteMs, pause);
  return busy.size === 0 && renewal.isDue(isRequested);
}

const progressOf = ({ lostUntil, lookedForLostAt, comparedAt, isPaused, everyMs }: Notes): HousekeepingInput => ({
  ...(lostUntil === undefined ? {} : { lostUntil }),
  ...(lookedForLostAt === undefined ? {} : { lookedForLostAt }),
  ...(comparedAt === undefined ? {} : { comparedAt }),
  ...(isPaused === true ? { isPaused } : {}),
  ...(everyMs === undefined ? {} : { everyMs }),
});

/**
 * Each hour: starts housekeeping unless it runs, because an operator terminated it or it failed.
 *
 * @param workflowId of the housekeeping of this task queue
 * @returns whether it had to be started
 */
export const startHousekeeping = (workflowId: string): Promise<boolean> =>
  startDetached<typeof housekeeping>('housekeeping', {
    workflowId,
    args: [{}],
    staticSummary: housekeepingSummary,
  });
