import { absolute, type Amount, greatest, subtract, zero } from '../money/amount.ts';
import { multipleBelow, pointsFor, type PointsRules } from './points-rules.ts';

/** The fields of an order that decide how many points it earns; in the base currency. */
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

/**
 * The points an order earns: for its goods after discount, without tax and shipping, less the part paid with points
 * (our choice).
 */
export function pointsOfOrder(order: EarningOrder, rules: PointsRules): number {
  if (!isEarning(order)) return 0;
  const goods = subtract(order.subtotal, absolute(order.discountAmount), order.paidWithPoints);
  return pointsFor(greatest(goods, zero), rules);
}

/**
 * How many earned points are void now: in proportion to the money refunded, all of them when all money is.
 *
 * @param granularity a partial refund voids only whole steps, in the customer's favour
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
