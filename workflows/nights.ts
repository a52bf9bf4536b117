import { continueAsNew, proxyActivities, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import type {
  BooksActivities,
  CatalogRuleActivities,
  RetentionActivities,
  SelfCheckoutActivities,
  TelemetryActivities,
} from '../activities/nights.ts';
import { refreshSignal, type BooksInput } from './messages.ts';
import { batchByBatch, checkingBooks, mustHappen, nightly, sweeping } from './support/activity-options.ts';

const { purgeLeftovers: purgeBatch } = proxyActivities<RetentionActivities>(nightly);

/** A batch takes about a second. */
const rowsPerBatch = 5_000;
/** Ten million rows of a table: five times what 500 shops leave a day. The next night deletes what so many batches leave. */
const mostBatches = 2_000;

/** What earlier runs of the same night did. */
export interface PurgedSoFar {
  removed: Record<string, number>;
  batches: number;
}

/**
 * Each night: deletes notes, payloads, tokens, sessions, counters and mails past their retention
 * (`domain/retention.ts`). Concurrent and repeated runs are safe.
 *
 * @returns how many rows of each table were deleted, for the Temporal page
 */
export async function purgeLeftovers(soFar?: PurgedSoFar): Promise<Record<string, number>> {
  const total = soFar?.removed ?? {};
  for (let batch = soFar?.batches ?? 0; batch < mostBatches; batch++) {
    const { removed, isDone } = await purgeBatch({ limit: rowsPerBatch });
    for (const [table, rows] of Object.entries(removed)) total[table] = (total[table] ?? 0) + rows;
    if (isDone) break;
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof purgeLeftovers>({ removed: total, batches: batch + 1 });
  }
  return total;
}

const { purgeOneTimeCodes: purgeOneTimeCodesPurgeBatch } = proxyActivities<SelfCheckoutActivities>(sweeping);
const purgeOneTimeCodesMostBatches = 100;

/**
 * Each hour: deletes expired one-time codes and their mails (spec 6). A late run does no harm, because a verification
 * checks the time itself. Concurrent and repeated runs are safe.
 *
 * @returns how many codes were deleted, for the Temporal page
 */
export async function purgeOneTimeCodes(): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < purgeOneTimeCodesMostBatches; batch++) {
    const removed = await purgeOneTimeCodesPurgeBatch({ limit: rowsPerBatch });
    total += removed;
    if (removed < rowsPerBatch) break;
  }
  return total;
}

const { planTelemetry } = proxyActivities<TelemetryActivities>(mustHappen);
const { openTelemetryDays, summariseDay, purgeTelemetry } = proxyActivities<TelemetryActivities>(nightly);

/** A batch takes about a second; the next night deletes what so many batches leave. */
const rollUpTelemetryRowsPerBatch = 10_000;
const rollUpTelemetryMostBatches = 500;

/**
 * Each night: sums up finished days with new events, then deletes events past the shop's retention (spec 6, 8).
 * Concurrent and repeated runs are safe.
 *
 * @returns what was done, for the Temporal page
 */
export async function rollUpTelemetry(): Promise<{ summarisedDays: number; removedDays: number; removedRows: number }> {
  const { dueDays, daysToOpen, keptFrom } = await planTelemetry();
  await openTelemetryDays({ days: daysToOpen });
  for (const day of dueDays) await summariseDay({ day });

  let removedDays = 0;
  let removedRows = 0;
  for (let batch = 0; batch < rollUpTelemetryMostBatches; batch++) {
    const { days, rows, isDone } = await purgeTelemetry({ before: keptFrom, limit: rollUpTelemetryRowsPerBatch });
    removedDays += days;
    removedRows += rows;
    if (isDone) break;
  }
  return { summarisedDays: dueDays.length, removedDays, removedRows };
}

const { openIndexDay, reindexDue } = proxyActivities<CatalogRuleActivities>(batchByBatch);

/** A user who changes one rule or product often changes several: this collects them into one run. */
const gatherFor = '1 second';

export interface ReindexTotal {
  products: number;
  changed: number;
}

/**
 * Recalculates catalog rule prices after a change, and all of them when a day begins at a website (platform facts
 * 9.3). A schedule starts it every few minutes. Each save of a rule or a product starts it, or signals the run that is
 * about to end: that run looks for due work once more.
 *
 * The due work is stored in the database, so the next run does what a lost run did not. Concurrent and repeated runs
 * are safe.
 *
 * @returns how many products were checked and how many prices changed, for the Temporal page
 */
export async function reindexCatalogRules(from?: ReindexTotal): Promise<ReindexTotal> {
  let isChanged = false;
  setHandler(refreshSignal, () => void (isChanged = true), {
    description: 'Checks whether more prices are due. Harmless at any time.',
  });

  const total = from ?? { products: 0, changed: 0 };
  if (from === undefined) {
    await sleep(gatherFor, { summary: 'collects further changes' });
    await openIndexDay();
  }
  for (;;) {
    isChanged = false;
    const { products, changed, isDone } = await reindexDue();
    total.products += products;
    total.changed += changed;
    if (isDone && !isChanged) return total;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof reindexCatalogRules>(total);
  }
}

const { checkBooks: checkEveryRule } = proxyActivities<BooksActivities>(checkingBooks);

/**
 * Each night, and when a person asks: checks every rule of the books, and keeps what it found for the page Books of
 * `/ops`. It mends nothing. A repeat of the step keeps no second line; concurrent runs keep one each.
 *
 * @returns how many rules were checked, and the broken ones, for the Temporal page
 */
export async function checkBooks(input: BooksInput = {}): Promise<{ rules: number; broken: string[] }> {
  return checkEveryRule({ ...input, runKey: workflowInfo().runId });
}
