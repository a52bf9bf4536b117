import { absolute, type Amount, greatest, subtract, zero } from '../money/amount.ts';
import { multipleBelow, pointsFor, type PointsRules } from './points-rules.ts';

/** What of an order decides how many points it earns; in the base currency. */
export interface EarningOrder {
  state: string;
  hasCustomer: boolean;
  grandTotal: Amount;
  subtotal: Amount;
  /** Of either sign, as it was posted. */
  discountAmount: Amount;
  totalPaid: Amount;
  totalRefunded: Amount;
  /** What was paid with points: that earns none. */
  paidWithPoints: Amount;
}

/** Points come once, when the whole order is paid; a free order earns none (our choice). */
export const isEarning = ({ state, hasCustomer, grandTotal, totalPaid }: EarningOrder): boolean =>
  hasCustomer && state !== 'canceled' && totalPaid > 0 && totalPaid >= grandTotal;

/** What an order earns: for its goods after discount, without tax and shipping, less what points paid for (our choice). */
export function pointsOfOrder(order: EarningOrder, rules: PointsRules): number {
  if (!isEarning(order)) return 0;
  const goods = subtract(order.subtotal, absolute(order.discountAmount), order.paidWithPoints);
  return pointsFor(greatest(goods, zero), rules);
}

/**
 * How many of the points earned are void by now: in proportion to the money refunded, all of them when all of it is.
 *
 * @param granularity a partial refund voids whole steps only, in the customer's favour
 */
export function voidedPoints(
  earned: number,
  { totalPaid, totalRefunded }: Pick<EarningOrder, 'totalPaid' | 'totalRefunded'>,
  granularity: number,
): number {
  if (totalRefunded <= 0 || totalPaid <= 0) return 0;
  if (totalRefunded >= totalPaid) return earned;
  const exact = (BigInt(earned) * BigInt(totalRefunded)) / BigInt(totalPaid);
  return multipleBelow(Number(exact), granularity);
}
