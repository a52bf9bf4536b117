import type { OrderState } from '../platform/order-state.ts';

/** What a layaway can be, and what moves it (spec 3.1). Pure: no clock, no database. */

export const layawayStatuses = ['open', 'ready_to_settle', 'stale', 'cancelled'] as const;
export type LayawayStatus = (typeof layawayStatuses)[number];

/** An order with this attribute is a layaway, whatever its state: an order without it is none. */
export const layawayStatusOf = (stored: string | null): LayawayStatus | null =>
  layawayStatuses.find((status) => status === stored) ?? null;

/** Still to be paid: overdue or not. Only these may be cancelled. */
export const isRunning = (status: LayawayStatus) => status === 'open' || status === 'stale';

/** After a payment. An overdue layaway that is not paid in full stays overdue (our choice: the table has open alone). */
export const statusAfterPayment = (status: LayawayStatus, isPaidInFull: boolean): LayawayStatus =>
  isPaidInFull && isRunning(status) ? 'ready_to_settle' : status;

/** Cancelled here, or beneath us on the platform. */
export const isCancelled = (status: LayawayStatus, state: OrderState) => status === 'cancelled' || state === 'canceled';

/** Whether nothing can happen to it any more: cancelled, or paid and settled on the platform (spec 3.1). */
export const isFinished = (status: LayawayStatus, state: OrderState) =>
  isCancelled(status, state) || (status === 'ready_to_settle' && state !== 'pending_payment');
