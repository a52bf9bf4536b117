import { zero, type Amount } from '../money/amount.ts';
import type { OrderState } from '../platform/order-state.ts';
import { isFinished, type LayawayStatus } from './layaway-status.ts';

/** A layaway in its workflow's memory: numbers and status words, no personal data. */
export interface FollowedLayaway {
  orderId: number;
  orderIncrementId: string;
  state: OrderState;
  /** Null: the order is no layaway. */
  status: LayawayStatus | null;
  balanceOwed: Amount;
  currencyCode: string;
  /** ISO 8601. */
  expiresAt: string | null;
  /** By the database's clock: zero or below when overdue, null when it never expires. */
  expiresInMs: number | null;
}

/** Nothing can happen to it any more: cancelled, settled, or not a layaway at all. */
export const isOver = ({ status, state }: FollowedLayaway): boolean => status === null || isFinished(status, state);

/**
 * Paid, though its status does not say ready: collecting credit due pays a layaway without its own verbs (spec 4.6).
 */
export const owesNothing = ({ status, balanceOwed }: FollowedLayaway): boolean =>
  status === 'open' && balanceOwed === zero;

/** Time until it turns stale; null when that cannot happen. */
export const msUntilStale = ({ status, expiresInMs }: FollowedLayaway): number | null =>
  status === 'open' && expiresInMs !== null ? Math.max(0, expiresInMs) : null;
