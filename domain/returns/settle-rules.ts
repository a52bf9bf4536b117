import type { ReturnStatus } from './return-status.ts';

/**
 * From where a return may be settled (spec 3.2): once its goods are in. A return that was not parked first is parked
 * and settled in one step (our choice).
 */
const settleable: readonly ReturnStatus[] = ['awaiting_refund', 'items_received', 'received', 'received_partially'];

export const canSettle = (status: ReturnStatus) => settleable.includes(status);
