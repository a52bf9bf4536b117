/** Counts of 1/10 000: the platform stores money and quantities with four decimals. */

export const unitsPerWhole = 10_000;
/** 100 %, as a percentage is stored. */
export const wholeInPercent = 100 * unitsPerWhole;

const decimalText = /^([+-]?)(\d{1,15})(?:\.(\d{1,4})(\d{0,60}))?$/;
/** How JavaScript writes the tiny rest of a subtraction, such as `1e-17`. */
const tinyText = /^[+-]?\d(?:\.\d{1,20})?e-\d{1,3}$/;

/**
 * The noise of double arithmetic in a count, its smallest and its largest size: never as much as a fifth decimal. The
 * smallest is the rest of a difference of two millions.
 */
const leastNoise = 1e-5;
const mostNoise = 0.05;

/**
 * Reads a decimal with at most four decimals. Noise of double arithmetic does not count, so `0.30000000000000004` is
 * 0.3.
 *
 * @returns undefined for exponents, NaN, Infinity, blanks, further decimals and anything beyond a safe integer
 */
export function parseUnits(text: string): number | undefined {
  const match = decimalText.exec(text);
  if (!match) return tinyText.test(text) && Math.abs(Number(text)) * unitsPerWhole <= leastNoise ? 0 : undefined;
  const [, sign, whole, fraction = '', further = ''] = match;
  const cut = Number(whole) * unitsPerWhole + Number(fraction.padEnd(4, '0'));
  const rest = further === '' ? 0 : Number(`0.${further}`);
  const carried = Math.round(rest);
  const units = cut + carried;
  if (!Number.isSafeInteger(units) || Math.abs(rest - carried) > noiseOf(units)) return undefined;
  return sign === '-' && units !== 0 ? -units : units;
}

const noiseOf = (units: number) => Math.min(mostNoise, Math.max(leastNoise, 8 * Number.EPSILON * units));

/** `123400` → `"12.3400"`. */
export function formatUnits(units: number): string {
  const digits = String(Math.abs(units)).padStart(5, '0');
  return `${units < 0 ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/**
 * `value × numerator / denominator`, exact, rounded once half away from zero to a multiple of `step`.
 *
 * BigInt inside: the product of two safe integers is not safe.
 */
export function scaleUnits(value: number, numerator: number, denominator: number, step = 1): number {
  const dividend = BigInt(value) * BigInt(numerator);
  const divisor = BigInt(denominator) * BigInt(step);
  return Number(divideHalfAway(dividend, divisor)) * step || 0;
}

/** Integer division that rounds half away from zero, as the platform's rounding does. */
export function divideHalfAway(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const quotient = (2n * top + bottom) / (2n * bottom);
  return negative ? -quotient : quotient;
}
