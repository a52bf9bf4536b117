import type { OrderState } from '../platform/order-state.ts';

/** The states of a layaway and its transitions (spec 3.1). Pure: no clock, no database. */

export const layawayStatuses = ['open', 'ready_to_settle', 'stale', 'cancelled'] as const;
export type LayawayStatus = (typeof layawayStatuses)[number];

/** An order with this attribute is a layaway, in any state. An order without it is not. */
export const layawayStatusOf = (stored: string | null): LayawayStatus | null =>
  layawayStatuses.find((status) => status === stored) ?? null;

/** Not paid in full yet, overdue or not. Only these may be cancelled. */
export const isRunning = (status: LayawayStatus) => status === 'open' || status === 'stale';

/**
 * After a payment. An overdue layaway that is not paid in full stays overdue (our choice: the spec's table names only
 * open).
 */
export const statusAfterPayment = (status: LayawayStatus, isPaidInFull: boolean): LayawayStatus =>
  isPaidInFull && isRunning(status) ? 'ready_to_settle' : status;

/** Cancelled by the layaway's own verb, or as an order on the platform. */
export const isCancelled = (status: LayawayStatus, state: OrderState) => status === 'cancelled' || state === 'canceled';

/** Whether nothing can happen to it any more: cancelled, or paid and settled on the platform (spec 3.1). */
export const isFinished = (status: LayawayStatus, state: OrderState) =>
  isCancelled(status, state) || (status === 'ready_to_settle' && state !== 'pending_payment');
