import type { CreditUse } from '../credits/applied-credit.ts';
import { amount, type Amount, least, money, parseAmount, zero } from '../money/amount.ts';
import { unitsPerWhole } from '../money/fixed-point.ts';
import type { ShopSettings } from '../configuration/shop-settings.ts';

/** What a merchant set for points on a website. */
export interface PointsRules {
  isEnabled: boolean;
  /** How many points one unit of the base currency earns, with four decimals. */
  perUnit: Amount;
  /** What one point is worth when it is spent, in the base currency. */
  valueOfPoint: Amount;
  /** Points are earned and spent in multiples of this. */
  granularity: number;
  /** Fewer are not taken. */
  minimum: number;
  appliesAs: CreditUse;
}

/** No rule needs more, and every product with a balance stays exact. */
const largestStep = 1_000_000;
/** Of one point, in the base currency: no shop gives more away, and the worth of any balance is still exact. */
const highestValue = money('100');

/** A setting that is no number, or below what makes sense, counts as the least that does. */
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

/** What so many points are worth in the base currency, to the last decimal that is kept. */
export const worthOf = (points: number, { valueOfPoint }: PointsRules): Amount => amount(points * valueOfPoint);

/** The most points, in their granularity, that are worth no more than this. */
export function pointsWithin(base: Amount, { valueOfPoint, granularity }: PointsRules): number {
  if (valueOfPoint === zero || base <= 0) return 0;
  return multipleBelow(Math.floor(base / valueOfPoint), granularity);
}

/** What goods for so much earn; what is below one step is not earned. */
export function pointsFor(base: Amount, { perUnit, granularity }: PointsRules): number {
  if (base <= 0) return 0;
  const exact = (BigInt(base) * BigInt(perUnit)) / BigInt(unitsPerWhole) ** 2n;
  return multipleBelow(Math.min(Number(exact), largestPoints), granularity);
}

/** What an `integer` column keeps. */
export const largestPoints = 2_147_483_647;

export const multipleBelow = (points: number, step: number) => Math.floor(points / step) * step;

/** The least that may be spent at once: the set minimum, in whole steps. */
export const leastPoints = ({ minimum, granularity }: PointsRules) =>
  Math.max(granularity, Math.ceil(minimum / granularity) * granularity);
