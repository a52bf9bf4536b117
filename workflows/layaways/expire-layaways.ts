import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { LayawayActivities } from '../../activities/layaways/layaway-activities.ts';
import { signalIfRunning, startDetached } from '../support/start-detached.ts';
import { nightly } from '../support/activity-options.ts';
import { posOrderId } from '../support/search-attributes.ts';
import type { layawayWorkflow } from './layaway-workflow.ts';
import { layawayId, refreshSignal } from './messages.ts';

const { flagStaleBatch, findFinishedLately } = proxyActivities<LayawayActivities>(nightly);

/** Rows of one database statement, which flags all of them. */
const rowsPerPage = 500;
/** How many workflows are started or signalled at the same time. */
const wokenAtOnce = 50;

const rounds = ['stale', 'finished'] as const;

/** Progress of a sweep; when its history grows long, a new run continues from here. */
export interface Sweep {
  round: number;
  after: number;
  stale: number;
  finished: number;
}

/**
 * Each hour: flags overdue layaways as stale, which is what counts (spec 6), and signals their workflows. It signals
 * workflows whose layaways ended without them. Workflows that are missing are started by the minute's look.
 *
 * Concurrent and repeated sweeps are safe.
 *
 * @returns how many of each kind there were, for the Temporal page
 */
export async function expireLayaways(from?: Sweep): Promise<Omit<Sweep, 'round' | 'after'>> {
  const sweep: Sweep = from ?? { round: 0, after: 0, stale: 0, finished: 0 };
  for (;;) {
    const round = rounds[sweep.round];
    if (round === undefined) return { stale: sweep.stale, finished: sweep.finished };
    const orderIds = await pageOf(round, sweep.after);
    for (let at = 0; at < orderIds.length; at += wokenAtOnce) {
      const some = orderIds.slice(at, at + wokenAtOnce);
      await Promise.all(
        some.map((orderId) =>
          round === 'finished' ? signalIfRunning(layawayId(orderId), refreshSignal) : wake(orderId),
        ),
      );
    }
    sweep[round] += orderIds.length;
    const isRoundOver = orderIds.length < rowsPerPage;
    sweep.after = isRoundOver ? 0 : (orderIds.at(-1) ?? 0);
    if (isRoundOver) sweep.round += 1;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof expireLayaways>(sweep);
  }
}

function pageOf(round: (typeof rounds)[number], after: number): Promise<number[]> {
  const page = { after, limit: rowsPerPage };
  return round === 'stale' ? flagStaleBatch(page) : findFinishedLately(page);
}

/** Starts the layaway's workflow where it has none, otherwise signals it to read its row. */
async function wake(orderId: number): Promise<void> {
  const isNew = await startDetached<typeof layawayWorkflow>('layawayWorkflow', {
    workflowId: layawayId(orderId),
    args: [{ orderId }],
    staticSummary: `Layaway of order ${orderId}, started again`,
    typedSearchAttributes: [{ key: posOrderId, value: orderId }],
  });
  if (!isNew) await signalIfRunning(layawayId(orderId), refreshSignal);
}
