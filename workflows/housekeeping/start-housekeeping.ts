import { startDetached } from '../support/start-detached.ts';
import type { housekeeping } from './housekeeping.ts';
import { housekeepingSummary } from './messages.ts';

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
