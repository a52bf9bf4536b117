import type { ShopSettings } from './configuration/setting-defaults.ts';
import type { CreditUse } from './credits/applied-credit.ts';
import { invalid } from './errors.ts';
import {
  absolute,
  amount,
  greatest,
  least,
  money,
  parseAmount,
  subtract,
  unitsPerWhole,
  zero,
  type Amount,
} from './money.ts';

/** A merchant's settings for points on a website. */
export interface PointsRules {
  isEnabled: boolean;
  /** How many points one unit of the base currency earns, with four decimals. */
  perUnit: Amount;
  /** What one point is worth when it is spent, in the base currency. */
  valueOfPoint: Amount;
  /** Points are earned and spent in multiples of this. */
  granularity: number;
  /** The minimum for one payment. */
  minimum: number;
  appliesAs: CreditUse;
}

/** The upper bound of the settings above: every product with a balance stays exact. */
const largestStep = 1_000_000;
/** Of one point, in the base currency: the value of any balance stays exact. */
const highestValue = money('100');

/** A setting that is not a number, or below its minimum, counts as the minimum. */
export function pointsRules(settings: ShopSettings): PointsRules {
  const decimal = (text: string) => atLeastZero(parseAmount(text.trim()) ?? zero);
  const whole = (value: number, least: number) => Math.min(Math.max(value, least), largestStep);
  const valueOfPoint = least(decimal(settings.text('vendor_reward_points/spending/currency_per_point')), highestValue);
  return {
    isEnabled: settings.flag('vendor_reward_points/general/enabled'),
    perUnit: decimal(settings.text('vendor_reward_points/earning/points_per_currency_unit')),
    valueOfPoint,
    granularity: whole(settings.integer('vendor_reward_points/spending/granularity'), 1),
    minimum: whole(settings.integer('vendor_reward_points/spending/minimum_points'), 0),
    appliesAs: settings.text('vendor_reward_points/spending/applies_as').trim() === 'discount' ? 'discount' : 'tender',
  };
}

const atLeastZero = (value: Amount): Amount => (value < 0 ? zero : value);

/** The value of points in the base currency, to the last stored decimal. */
export const worthOf = (points: number, { valueOfPoint }: PointsRules): Amount => amount(points * valueOfPoint);

/** The most points, in whole steps, whose value is at most this amount. */
export function pointsWithin(base: Amount, { valueOfPoint, granularity }: PointsRules): number {
  if (valueOfPoint === zero || base <= 0) return 0;
  return multipleBelow(Math.floor(base / valueOfPoint), granularity);
}

/** The points that goods of this value earn; a part of a step is not earned. */
function pointsFor(base: Amount, { perUnit, granularity }: PointsRules): number {
  if (base <= 0) return 0;
  const exact = (BigInt(base) * BigInt(perUnit)) / BigInt(unitsPerWhole) ** 2n;
  return multipleBelow(Math.min(Number(exact), largestPoints), granularity);
}

/** The largest value of an `integer` column. */
const largestPoints = 2_147_483_647;

const multipleBelow = (points: number, step: number) => Math.floor(points / step) * step;

/** The minimum for one payment, rounded up to whole steps. */
export const leastPoints = ({ minimum, granularity }: PointsRules) =>
  Math.max(granularity, Math.ceil(minimum / granularity) * granularity);

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

/** What of an order came back, in the base currency. */
export interface ReturnedOfOrder {
  totalPaid: Amount;
  totalRefunded: Amount;
  /** Rows after discount, without tax: all of them, and those of returned goods. */
  goods: Amount;
  goodsReturned: Amount;
}

/**
 * How many earned points are void now: in proportion to the goods that came back, whatever fee was kept or goodwill
 * added. All of them when all goods or all money came back; an order without goods of a price goes by its money.
 *
 * @param granularity a partial refund voids only whole steps, in the customer's favour
 */
export function voidedPoints(
  earned: number,
  { totalPaid, totalRefunded, goods, goodsReturned }: ReturnedOfOrder,
  granularity: number,
): number {
  if (totalPaid > 0 && totalRefunded >= totalPaid) return earned;
  const [part, whole] = goods > 0 ? [goodsReturned, goods] : [totalRefunded, totalPaid];
  if (part <= 0 || whole <= 0) return 0;
  if (part >= whole) return earned;
  return multipleBelow(Number((BigInt(earned) * BigInt(part)) / BigInt(whole)), granularity);
}

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
