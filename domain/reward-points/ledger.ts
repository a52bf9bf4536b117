import { invalid } from '../errors.ts';
import { largestPoints } from './points-rules.ts';

/** What moved a points account. Only spending, voiding and correcting lower the balance. */
export const pointsEntryKinds = ['earned', 'spent', 'returned', 'voided', 'refunded', 'given', 'adjusted'] as const;
export type PointsEntryKind = (typeof pointsEntryKinds)[number];

/**
 * The balance after a movement of whole points.
 *
 * Refused with 400: a movement of zero, a balance below zero or above what a column holds.
 */
export function nextPointsBalance(balance: number, delta: number): number {
  if (!Number.isSafeInteger(delta) || delta === 0)
    throw invalid('The number of points must be a whole one, and not zero.');
  const balanceAfter = balance + delta;
  if (balanceAfter > largestPoints) throw invalid('The balance of points cannot go above %1.', [largestPoints]);
  if (balanceAfter < 0)
    throw invalid('The balance of points cannot go below zero: it is %1 and would change by %2.', [balance, delta]);
  return balanceAfter;
}
