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
import type { ContentActivities, RenewalActivities } from '../activities/content.ts';
import type { FollowedRenewal, FollowedSchedule } from '../domain/content.ts';
import { isRefused, type Outcome } from '../domain/outcome.ts';
import {
  refreshSignal,
  renewalQuery,
  stateQuery,
  type RenewalInput,
  type RenewalView,
  type ScheduleInput,
  type ScheduleView,
} from './messages.ts';
import { mustHappen, renderingPlaces } from './support/activity-options.ts';
import { posStatus } from './support/search-attributes.ts';

const { renewContent } = proxyActivities<RenewalActivities>(renderingPlaces);

/**
 * Renders all content that contains a changed block (spec 4.12), a few places at a time. Each place is committed by
 * itself: readers see its old or its new text.
 *
 * Its progress is stored in the database, so the next run continues a lost one. When the block changes meanwhile, the
 * same run renders all places again.
 *
 * @returns how many places were rendered and how many failed, for the Temporal page
 */
export async function contentRenewalWorkflow({ renewalId }: RenewalInput): Promise<RenewalView> {
  const view: RenewalView = { places: 0, rendered: 0, failed: 0, isDone: false };
  let isChanged = false;
  setHandler(refreshSignal, () => void (isChanged = true), {
    description: 'Checks whether more must be rendered. Harmless at any time.',
  });
  setHandler(renewalQuery, () => view);

  for (;;) {
    isChanged = false;
    const isOver = show(await renewContent({ renewalId }), view);
    if (isOver && !isChanged) return view;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof contentRenewalWorkflow>({ renewalId });
  }
}

/** Shows the progress; returns whether nothing is left to do. */
function show(outcome: Outcome<FollowedRenewal>, view: RenewalView): boolean {
  if (isRefused(outcome)) {
    setCurrentDetails(
      '### Nothing is left to render\n\n- The block changed again, and that change rendered everything.',
    );
    return (view.isDone = true);
  }
  const { places, rendered, failed, isDone } = outcome;
  Object.assign(view, { places, rendered, failed, isDone });
  setCurrentDetails(detailsOf(outcome));
  return isDone;
}

/** The text of the workflow's page. The content itself stays in the database. */
function detailsOf({ places, rendered, failed, failures, isDone }: FollowedRenewal): string {
  const head =
    isDone && failed === 0
      ? `### All **${rendered}** places are rendered`
      : `### **${rendered}** of ${places} places are rendered, ${failed} could not be`;
  const refused = failures.map(({ contentId }) => `- Content ${contentId} could not be: publish it to learn why.`);
  return [
    head,
    '',
    ...refused,
    isDone ? '- Finished. Nothing more happens here.' : '- The others still show the old block.',
  ].join('\n');
}

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
      const msUntilDue = showContentScheduleWorkflow(await carryOutSchedule({ scheduleId }), view);
      if (msUntilDue === undefined) return view.state;
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof contentScheduleWorkflow>({ scheduleId });
      const wait = Math.min(Math.max(msUntilDue, 1), longestWaitMs);
      await condition(() => isChanged, wait, { summary: 'until it is due' });
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    showContentScheduleWorkflow(await CancellationScope.nonCancellable(() => cancelSchedule({ scheduleId })), view);
    return view.state;
  }
}

/** Shows the state of the schedule; returns how long it waits, undefined when it is over. */
function showContentScheduleWorkflow(outcome: Outcome<FollowedSchedule>, view: ScheduleView): number | undefined {
  const isKnown = !isRefused(outcome);
  const state = isKnown ? outcome.state : 'unknown';
  if (view.state !== state) upsertSearchAttributes([{ key: posStatus, value: state }]);
  Object.assign(view, { state, dueAt: isKnown ? outcome.dueAt : null });
  setCurrentDetails(
    isKnown ? contentScheduleWorkflowDetailsOf(outcome) : 'The schedule is gone. Nothing more happens here.',
  );
  return isKnown && outcome.state === 'pending' ? outcome.msUntilDue : undefined;
}

/** The text of the workflow's page. The content itself stays in the database. */
function contentScheduleWorkflowDetailsOf({
  action,
  kind,
  contentId,
  state,
  dueAt,
  scheduleId,
}: FollowedSchedule): string {
  const head = `### To ${action} ${kind} ${contentId} is **${state}**`;
  if (state !== 'pending') return `${head}\n\n- Finished. Nothing more happens here.`;
  return `${head}\n\n- Due at ${dueAt}.\n- Cancel it: \`POST /V1/vendorCms/schedule/${scheduleId}/cancel\`, or cancel this run.`;
}
