import type { CreditUse } from '../credits/applied-credit.ts';
import { amount, type Amount, least, money, parseAmount, zero } from '../money/amount.ts';
import { unitsPerWhole } from '../money/fixed-point.ts';
import type { ShopSettings } from '../configuration/shop-settings.ts';

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
export function pointsFor(base: Amount, { perUnit, granularity }: PointsRules): number {
  if (base <= 0) return 0;
  const exact = (BigInt(base) * BigInt(perUnit)) / BigInt(unitsPerWhole) ** 2n;
  return multipleBelow(Math.min(Number(exact), largestPoints), granularity);
}

/** The largest value of an `integer` column. */
export const largestPoints = 2_147_483_647;

export const multipleBelow = (points: number, step: number) => Math.floor(points / step) * step;

/** The minimum for one payment, rounded up to whole steps. */
export const leastPoints = ({ minimum, granularity }: PointsRules) =>
  Math.max(granularity, Math.ceil(minimum / granularity) * granularity);
