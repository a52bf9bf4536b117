import { continueAsNew, proxyActivities, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { RenewalActivities } from '../../activities/content/renewal-activities.ts';
import type { FollowedRenewal } from '../../domain/content/followed-renewal.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { renderingPlaces } from '../support/activity-options.ts';
import { refreshSignal, renewalQuery, type RenewalInput, type RenewalView } from './messages.ts';

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
