import { formatUnits, parseUnits, scaleUnits, unitsPerWhole } from './fixed-point.ts';

/**
 * Money: an integer count of 1/10 000 of a currency unit.
 *
 * Branded, so that the compiler refuses a bare number. Underneath it is a plain number, so JSON and Temporal payloads
 * carry it.
 */
export type Amount = number & { readonly __brand: 'Amount' };

/** Takes a count of 1/10 000. Throws on anything that is not a safe integer: that is a bug, not an input. */
export function amount(units: number): Amount {
  if (!Number.isSafeInteger(units)) throw new RangeError(`${units} is not an amount`);
  return (units === 0 ? 0 : units) as Amount;
}

export const zero = amount(0);

/** Reads a decimal such as `"12.34"`; undefined when it is not a decimal with at most four places. */
export function parseAmount(text: string): Amount | undefined {
  const units = parseUnits(text);
  return units === undefined ? undefined : amount(units);
}

/** For literals in code and tests: `money('12.34')`. Throws on anything else. */
export function money(text: string): Amount {
  const parsed = parseAmount(text);
  if (parsed === undefined) throw new RangeError(`"${text}" is not an amount`);
  return parsed;
}

/** `"12.3400"`: what the database stores. */
export const formatAmount = (value: Amount) => formatUnits(value);

/** What a JSON answer carries: a number with up to four decimals. */
export const toWire = (value: Amount) => value / unitsPerWhole;

/** `"8"`, `"8.5"`: plain, without trailing zeros, as some platform messages have it. */
export const toPlain = (value: Amount) => formatUnits(value).replace(/\.?(?<!0)0+$/, '');

export const add = (...values: readonly Amount[]) => amount(values.reduce((sum, value) => sum + value, 0));
export const subtract = (from: Amount, ...values: readonly Amount[]) => amount(from - add(...values));
export const negate = (value: Amount) => amount(0 - value);
export const absolute = (value: Amount) => amount(Math.abs(value));
export const least = (...values: readonly [Amount, ...Amount[]]) => amount(Math.min(...values));
export const greatest = (...values: readonly [Amount, ...Amount[]]) => amount(Math.max(...values));
export const isPositive = (value: Amount) => value > 0;

/**
 * `value × numerator / denominator`, rounded once, half away from zero.
 *
 * @param step the result is a multiple of this: the coin of its currency (see `coins.ts`), or 1 for all four decimals
 */
export const scale = (value: Amount, numerator: number, denominator: number, step: number) =>
  amount(scaleUnits(value, numerator, denominator, step));
