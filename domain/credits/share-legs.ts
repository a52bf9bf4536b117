import { add, greatest, scale, subtract, zero, type Amount } from '../money/amount.ts';
import type { Coin } from '../money/coins.ts';
import type { CreditLeg } from './applied-credit.ts';

/** A line of a refund, in the base currency. */
export interface RefundedLine {
  /** What the line adds to the memo's total: row, taxes, less discount. */
  value: Amount;
  /** Its row alone, ex tax: the weight for sharing points that were a discount. */
  row: Amount;
}

/** The part of a refund's legs that belongs to a line, in the base currency. */
export interface LineShare {
  baseCreditShare: Amount;
  /** For points that were a discount; absent where there are none. */
  basePointsAmount?: Amount;
  points?: number;
}

/**
 * Shares the legs of a refund over its lines (spec 4.8 preview `base_credit_share`).
 *
 * Tender legs are shared by what each line adds to the memo's `gross` total, before its fee. The part for shipping
 * and goodwill belongs to no line. Points that were a discount are shared by the rows. Rounding is cumulative, so the
 * lines add up.
 */
export function shareLegs(
  lines: readonly RefundedLine[],
  legs: readonly CreditLeg[],
  { gross, coin }: { gross: Amount; coin: Coin },
): LineShare[] {
  const tender = add(zero, ...legs.filter(isTender).map(({ baseAmount }) => baseAmount));
  const credits = spread(
    tender,
    lines.map(({ value }) => greatest(zero, value)),
    { total: gross, coin },
  );
  const discounts = legs.filter((leg) => !isTender(leg));
  if (discounts.length === 0) return credits.map((baseCreditShare) => ({ baseCreditShare }));
  const rows = lines.map(({ row }) => row);
  const worth = add(zero, ...discounts.map(({ baseAmount }) => baseAmount));
  const points = discounts.reduce((sum, leg) => sum + (leg.points ?? 0), 0);
  const amounts = spread(worth, rows, { total: add(zero, ...rows), coin });
  const counts = spreadPoints(points, rows);
  return credits.map((baseCreditShare, at) => ({
    baseCreditShare,
    basePointsAmount: amounts[at] ?? zero,
    points: counts[at] ?? 0,
  }));
}

const isTender = ({ appliesAs }: CreditLeg) => appliesAs === 'tender';

function spread(amount: Amount, weights: readonly Amount[], { total, coin }: { total: Amount; coin: Coin }): Amount[] {
  const until = (sum: Amount) => (total <= 0 ? zero : sum >= total ? amount : scale(amount, sum, total, coin));
  let sum = zero;
  return weights.map((weight) => {
    const before = until(sum);
    sum = add(sum, weight);
    return subtract(until(sum), before);
  });
}

/** Whole points, rounded down line by line; the last line takes what is left. */
function spreadPoints(points: number, weights: readonly Amount[]): number[] {
  const total = add(zero, ...weights);
  const until = (sum: Amount) => (total <= 0 ? 0 : Number((BigInt(points) * BigInt(sum)) / BigInt(total)));
  let sum = zero;
  return weights.map((weight) => {
    const before = until(sum);
    sum = add(sum, weight);
    return until(sum) - before;
  });
}
