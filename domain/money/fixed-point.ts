/** Counts of 1/10 000: the platform stores money and quantities with four decimals. */

export const unitsPerWhole = 10_000;

const decimalText = /^([+-]?)(\d{1,15})(?:\.(\d{1,4}))?0*$/;

/**
 * Reads a decimal with at most four decimals (more only if they are zeros).
 *
 * @returns undefined for exponents, NaN, Infinity, blanks, further decimals and anything beyond a safe integer
 */
export function parseUnits(text: string): number | undefined {
  const match = decimalText.exec(text);
  if (!match) return undefined;
  const [, sign, whole, fraction = ''] = match;
  const units = Number(whole) * unitsPerWhole + Number(fraction.padEnd(4, '0'));
  if (!Number.isSafeInteger(units)) return undefined;
  return sign === '-' && units !== 0 ? -units : units;
}

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
