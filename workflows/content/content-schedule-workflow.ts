import {
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ContentActivities } from '../../activities/content/content-activities.ts';
import type { FollowedSchedule } from '../../domain/content/followed-schedule.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { mustHappen } from '../support/activity-options.ts';
import { posStatus } from '../support/search-attributes.ts';
import { refreshSignal, stateQuery, type ScheduleInput, type ScheduleView } from './messages.ts';

const { carryOutSchedule } = proxyActivities<ContentActivities>({ ...mustHappen, summary: 'carry out the schedule' });
const { cancelSchedule } = proxyActivities<ContentActivities>({ ...mustHappen, summary: 'cancel the schedule' });

/** The longest timer. After it the workflow reads the schedule again and waits further. */
const longestWaitMs = 365 * 86_400_000;

/**
 * The life of one schedule (spec 4.12): waits until it is due, then publishes or unpublishes its content, once.
 *
 * The database's clock decides: a timer that fires early finds that the schedule is not due and waits further. A
 * signal reports a change of the row. Cancelling this workflow from the Temporal page cancels the schedule.
 *
 * @returns the state it ended with, as committed in PostgreSQL; `unknown` when it was deleted
 */
export async function contentScheduleWorkflow({ scheduleId }: ScheduleInput): Promise<string> {
  const view: ScheduleView = { state: 'loading', dueAt: null };
  let isChanged = false;
  setHandler(refreshSignal, () => void (isChanged = true), {
    description: 'Reads the schedule again and continues from its state. Harmless at any time.',
  });
  setHandler(stateQuery, () => view);

  try {
    for (;;) {
      isChanged = false;
      const msUntilDue = show(await carryOutSchedule({ scheduleId }), view);
      if (msUntilDue === undefined) return view.state;
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof contentScheduleWorkflow>({ scheduleId });
      const wait = Math.min(Math.max(msUntilDue, 1), longestWaitMs);
      await condition(() => isChanged, wait, { summary: 'until it is due' });
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    show(await CancellationScope.nonCancellable(() => cancelSchedule({ scheduleId })), view);
    return view.state;
  }
}

/** Shows the state of the schedule; returns how long it waits, undefined when it is over. */
function show(outcome: Outcome<FollowedSchedule>, view: ScheduleView): number | undefined {
  const isKnown = !isRefused(outcome);
  const state = isKnown ? outcome.state : 'unknown';
  if (view.state !== state) upsertSearchAttributes([{ key: posStatus, value: state }]);
  Object.assign(view, { state, dueAt: isKnown ? outcome.dueAt : null });
  setCurrentDetails(isKnown ? detailsOf(outcome) : 'The schedule is gone. Nothing more happens here.');
  return isKnown && outcome.state === 'pending' ? outcome.msUntilDue : undefined;
}

/** The text of the workflow's page. The content itself stays in the database. */
function detailsOf({ action, kind, contentId, state, dueAt, scheduleId }: FollowedSchedule): string {
  const head = `### To ${action} ${kind} ${contentId} is **${state}**`;
  if (state !== 'pending') return `${head}\n\n- Finished. Nothing more happens here.`;
  return `${head}\n\n- Due at ${dueAt}.\n- Cancel it: \`POST /V1/vendorCms/schedule/${scheduleId}/cancel\`, or cancel this run.`;
}
