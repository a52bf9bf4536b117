import { largestId } from '../../domain/ids.ts';
import { divideHalfAway, parseUnits, unitsPerWhole } from '../../domain/money/fixed-point.ts';

/** The range of an `integer` column; a larger number would cause a database fault. */
const maxInteger = largestId;

const wholeNumber = /^[+-]?\d{1,15}(?:\.0+)?$/;
const anyInteger = /^[+-]?\d{1,64}$/;
const decimal = /^([+-]?)(\d{1,15})(?:\.(\d{1,64}))?$/;

/** Reads a whole number, or its text, within the database's `integer` range. */
export function readInteger(given: unknown): number | undefined {
  const text = textOf(given);
  if (text === undefined || !wholeNumber.test(text)) return undefined;
  const number = Number(text);
  return Math.abs(number) > maxInteger ? undefined : number || 0;
}

/** Reads an id from a path; an id beyond the range becomes the largest one, which does not exist. */
export function readId(given: unknown): number | undefined {
  const text = textOf(given);
  if (text === undefined || !anyInteger.test(text)) return undefined;
  return Math.max(-maxInteger, Math.min(maxInteger, Number(text))) || 0;
}

/** Reads a decimal of at most four decimals, apart from the noise of doubles, as a count of 1/10 000. */
export function readUnits(given: unknown): number | undefined {
  const text = textOf(given);
  return exactUnits(given) ?? (text === undefined ? undefined : parseUnits(text));
}

/** As `readUnits`, with further decimals rounded half away from zero. */
export function readRoundedUnits(given: unknown): number | undefined {
  const exact = exactUnits(given);
  if (exact !== undefined) return exact;
  const text = readRounded(given, 4);
  return text === undefined ? undefined : parseUnits(text);
}

/** Below it every count of 1/10 000 has a double of its own, so the way back proves that nothing was rounded. */
const mostExactUnits = 1e15;

/** The count of a number with at most four decimals, without writing it as text: nearly every figure is one. */
function exactUnits(given: unknown): number | undefined {
  if (typeof given !== 'number') return undefined;
  const units = Math.round(given * unitsPerWhole);
  return Math.abs(units) < mostExactUnits && units / unitsPerWhole === given ? units || 0 : undefined;
}

/**
 * Reads a decimal and rounds it, half away from zero, to a number of decimals; the result is text without an
 * exponent.
 */
export function readRounded(given: unknown, scale: number): string | undefined {
  // JavaScript writes tiny numbers with an exponent; all of them round to zero.
  if (typeof given === 'number' && Math.abs(given) < 1e-6) return readRounded(given.toFixed(scale + 1), scale);
  const match = decimal.exec(textOf(given) ?? '');
  if (!match) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const kept = fraction.length > scale ? fraction : fraction.padEnd(scale, '0');
  const digits = divideHalfAway(BigInt(whole + kept), 10n ** BigInt(kept.length - scale)).toString();
  const padded = digits.padStart(scale + 1, '0');
  const isNegative = sign === '-' && /[1-9]/.test(digits);
  return `${isNegative ? '-' : ''}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

const textOf = (given: unknown) =>
  typeof given === 'string' ? given : typeof given === 'number' ? String(given) : undefined;
