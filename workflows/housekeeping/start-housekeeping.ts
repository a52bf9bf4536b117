import { startDetached } from '../support/start-detached.ts';
import type { housekeeping } from './housekeeping.ts';
import { housekeepingSummary, type StartHousekeepingInput } from './messages.ts';

/**
 * Each hour: starts housekeeping unless it runs, because an operator terminated it or it failed.
 *
 * @returns whether it had to be started
 */
export const startHousekeeping = ({ workflowId }: StartHousekeepingInput): Promise<boolean> =>
  startDetached<typeof housekeeping>('housekeeping', { workflowId, args: [{}], staticSummary: housekeepingSummary });
