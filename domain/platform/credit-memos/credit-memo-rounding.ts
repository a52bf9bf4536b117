import { amount, divideHalfAway, greatest, least, zero, type Amount, type Coin } from '../../money.ts';

/**
 * What rounding left over, to be added to the next figure: counts of 10⁻¹² of a currency unit.
 *
 * One for each kind of figure and currency of one memo; it never leaves the computation.
 */
export interface Carry {
  delta: bigint;
  /** Of the currency: what every figure is counted in. */
  readonly coin: Coin;
}

export interface Carries {
  /** Row totals, fixed product taxes, discounts and taxes, in the order they are worked out. */
  regular: Carry;
  /** Rows including tax, which are only shown. */
  including: Carry;
  readonly coin: Coin;
}

export const noCarries = (coin: Coin): Carries => ({
  regular: { delta: 0n, coin },
  including: { delta: 0n, coin },
  coin,
});

/** `part / whole` of an amount; the parts may be quantities or money. */
export interface Share {
  of: Amount;
  part: number;
  whole: number;
}

/** 10⁻¹² in one unit of an Amount, and the steps of rounding between. */
const finerPerUnit = 100_000_000n;

const finerPerEighthDecimal = 10_000n;

const eighthDecimalsPerUnit = 10_000n;

/** What a share must not go below or above. */
export interface Bounds {
  least: Amount;
  most: Amount;
}

/**
 * Delta rounding (platform facts 7.3): the share in coins, together with what earlier shares left over.
 *
 * A share of nothing is nothing and leaves the carry alone. The answer lies between zero and the whole amount, and
 * within the bounds. So no line goes below zero or above what is left.
 */
export function carryShare(carry: Carry, share: Share, bounds?: Bounds, sign: 1n | -1n = 1n): Amount {
  const exact = exactShare(share);
  if (exact === 0n) return zero;
  const carried = exact + sign * carry.delta;
  const nearest = roundExact(carried, carry.coin);
  const within = bounds ? between(bounds.least, nearest, bounds.most) : nearest;
  const rounded = between(zero, within, share.of);
  carry.delta = sign * (carried - BigInt(rounded) * finerPerUnit);
  return rounded;
}

/** For what is taken off: the carry counts the other way round, so that goods and their discount round as one. */
export const carryDiscountShare = (carry: Carry, share: Share, bounds: Bounds): Amount =>
  carryShare(carry, share, bounds, -1n);

const exactShare = ({ of, part, whole }: Share): bigint =>
  whole === 0 ? 0n : divideHalfAway(BigInt(of) * finerPerUnit * BigInt(part), BigInt(whole));

/** To eight decimals first, as PHP's floats are rounded before they are rounded; each half away from zero. */
function roundExact(value: bigint, coin: Coin): Amount {
  const eighthDecimals = divideHalfAway(value, finerPerEighthDecimal);
  return amount(Number(divideHalfAway(eighthDecimals, eighthDecimalsPerUnit * BigInt(coin))) * coin);
}

const between = (one: Amount, value: Amount, other: Amount): Amount =>
  least(greatest(value, least(one, other)), greatest(one, other));
