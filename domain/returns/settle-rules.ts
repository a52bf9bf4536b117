import { invalid } from '../errors.ts';
import type { ReturnStatus } from './return-status.ts';

/**
 * The statuses from which a return may be settled (spec 3.2): once its goods are in. A return that is not parked yet
 * is parked and settled in one step (our choice).
 */
const settleable: readonly ReturnStatus[] = ['awaiting_refund', 'items_received', 'received', 'received_partially'];

export const canSettle = (status: ReturnStatus) => settleable.includes(status);

/**
 * 400 where there is no refund to cancel (spec 3.2). `received` is the status after a cancel, so it may be asked
 * again.
 */
export function refuseUnlessParked(status: ReturnStatus): void {
  if (status !== 'awaiting_refund' && status !== 'received')
    throw invalid('A return in status "%1" has no refund to cancel.', [status]);
}
