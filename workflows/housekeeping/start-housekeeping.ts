import { workflowInfo } from '@temporalio/workflow';
import { startDetached } from '../support/start-detached.ts';
import type { housekeeping } from './housekeeping.ts';
import { housekeepingId, housekeepingSummary } from './messages.ts';

/**
 * Each hour: starts housekeeping unless it runs, because an operator terminated it or it failed.
 *
 * @returns whether it had to be started
 */
export const startHousekeeping = (): Promise<boolean> =>
  startDetached<typeof housekeeping>('housekeeping', {
    workflowId: housekeepingId(workflowInfo().taskQueue),
    args: [{}],
    staticSummary: housekeepingSummary,
  });
