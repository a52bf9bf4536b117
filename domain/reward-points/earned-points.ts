import { absolute, type Amount, greatest, subtract, zero } from '../money/amount.ts';
import { multipleBelow, pointsFor, type PointsRules } from './points-rules.ts';

/** The fields of an order that decide how many points it earns; in the base currency. */
export interface EarningOrder {
  state: string;
  hasCustomer: boolean;
  baseGrandTotal: Amount;
  baseSubtotal: Amount;
  /** Of either sign, as it was posted. */
  baseDiscountAmount: Amount;
  baseTotalPaid: Amount;
  baseTotalRefunded: Amount;
  /** The part paid with points, which earns none. */
  basePaidWithPoints: Amount;
}

/** Points are earned once, when the whole order is paid; a free order earns none (our choice). */
export const isEarning = ({ state, hasCustomer, baseGrandTotal, baseTotalPaid }: EarningOrder): boolean =>
  hasCustomer && state !== 'canceled' && baseTotalPaid > 0 && baseTotalPaid >= baseGrandTotal;

/**
 * The points an order earns: for its goods after discount, without tax and shipping, less the part paid with points
 * (our choice).
 */
export function pointsOfOrder(order: EarningOrder, rules: PointsRules): number {
  if (!isEarning(order)) return 0;
  const goods = subtract(order.baseSubtotal, absolute(order.baseDiscountAmount), order.basePaidWithPoints);
  return pointsFor(greatest(goods, zero), rules);
}

/**
 * How many earned points are void now: in proportion to the money refunded, all of them when all money is.
 *
 * @param granularity a partial refund voids only whole steps, in the customer's favour
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
