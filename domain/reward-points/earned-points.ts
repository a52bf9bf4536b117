import { absolute, type Amount, greatest, subtract, zero } from '../money/amount.ts';
import { multipleBelow, pointsFor, type PointsRules } from './points-rules.ts';

/** What of an order decides how many points it earns; in the base currency. */
export interface EarningOrder {
  state: string;
  hasCustomer: boolean;
  baseGrandTotal: Amount;
  baseSubtotal: Amount;
  /** Of either sign, as it was posted. */
  baseDiscountAmount: Amount;
  baseTotalPaid: Amount;
  baseTotalRefunded: Amount;
  /** What was paid with points: that earns none. */
  basePaidWithPoints: Amount;
}

/** Points come once, when the whole order is paid; a free order earns none (our choice). */
export const isEarning = ({ state, hasCustomer, baseGrandTotal, baseTotalPaid }: EarningOrder): boolean =>
  hasCustomer && state !== 'canceled' && baseTotalPaid > 0 && baseTotalPaid >= baseGrandTotal;

/** What an order earns: for its goods after discount, without tax and shipping, less what points paid for (our choice). */
export function pointsOfOrder(order: EarningOrder, rules: PointsRules): number {
  if (!isEarning(order)) return 0;
  const goods = subtract(order.baseSubtotal, absolute(order.baseDiscountAmount), order.basePaidWithPoints);
  return pointsFor(greatest(goods, zero), rules);
}

/**
 * How many of the points earned are void by now: in proportion to the money refunded, all of them when all of it is.
 *
 * @param granularity a partial refund voids whole steps only, in the customer's favour
 */
export function voidedPoints(
  earned: number,
  { baseTotalPaid, baseTotalRefunded }: Pick<EarningOrder, 'baseTotalPaid' | 'baseTotalRefunded'>,
  granularity: number,
): number {
  if (baseTotalRefunded <= 0 || baseTotalPaid <= 0) return 0;
  if (baseTotalRefunded >= baseTotalPaid) return earned;
  const exact = (BigInt(earned) * BigInt(baseTotalRefunded)) / BigInt(baseTotalPaid);
  return multipleBelow(Number(exact), granularity);
}
