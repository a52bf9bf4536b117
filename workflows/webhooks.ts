import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { EventActivities } from '../activities/events.ts';
import { deliveringEvents } from './support/activity-options.ts';
import { webhookQueue, type WebhookInput } from './messages.ts';

/**
 * Sends events to one endpoint for as long as it is on (`docs/inside/events.md`). Each step looks for half a minute and
 * sends what is due; the rows say what that is, so a run can be ended and begun at any time. One that is switched on
 * again is begun again, by its route or by housekeeping.
 *
 * @returns how many deliveries this run made, for the Temporal page
 */
export async function webhookWorkflow({ endpointId }: WebhookInput): Promise<{ delivered: number; failed: number }> {
  const { deliverEvents } = proxyActivities<EventActivities>({
    ...deliveringEvents,
    taskQueue: webhookQueue(workflowInfo().taskQueue),
  });
  const all = { delivered: 0, failed: 0 };
  for (;;) {
    const { isOn, delivered, failed } = await deliverEvents({ endpointId });
    all.delivered += delivered;
    all.failed += failed;
    setCurrentDetails(detailsOf(isOn, all));
    if (!isOn) return all;
    if (workflowInfo().historyLength > longestHistory) await continueAsNew<typeof webhookWorkflow>({ endpointId });
  }
}

/** A quarter of an hour of steps: whoever opens the page reads all of it, and a new worker reads it at once. */
const longestHistory = 200;

const detailsOf = (isOn: boolean, { delivered, failed }: { delivered: number; failed: number }): string =>
  [
    `### **${delivered}** deliveries were taken in this run, ${failed} tries failed`,
    '',
    isOn
      ? '- It waits for events. Its deliveries and their answers: `pos events endpoints`.'
      : '- The endpoint is off, paused or deleted. Switched on, it goes on where it stopped.',
  ].join('\n');
