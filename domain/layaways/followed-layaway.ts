import { zero, type Amount } from '../money/amount.ts';
import type { OrderState } from '../platform/order-state.ts';
import { isFinished, type LayawayStatus } from './layaway-status.ts';

/** A layaway as its workflow keeps it in mind: numbers and words, nothing about a person. */
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
  /** By the clock of the database; not above zero when it is overdue, null when it never is. */
  expiresInMs: number | null;
}

/** Nothing more happens here: cancelled, settled, or no layaway at all. */
export const isOver = ({ status, state }: FollowedLayaway): boolean => status === null || isFinished(status, state);

/** Paid, by whatever means, though nobody called it ready: credit due is collected without a step of the layaway (spec 4.6). */
export const owesNothing = ({ status, balanceOwed }: FollowedLayaway): boolean =>
  status === 'open' && balanceOwed === zero;

/** How long until it turns stale; null when it does not wait for that. */
export const msUntilStale = ({ status, expiresInMs }: FollowedLayaway): number | null =>
  status === 'open' && expiresInMs !== null ? Math.max(0, expiresInMs) : null;
