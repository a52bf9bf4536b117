/** The field that holds a value, and the field around that one. Positions in lists are left out. */
export interface Way {
  name: string;
  within: Way | undefined;
}

/** A plain value within a text. */
export interface Leaf {
  text: string;
  way: Way | undefined;
}

/**
 * The plain values of a JSON text, also those of JSON texts within it; every key counts as a value, too. A text that
 * is not JSON is its own value. It does not recurse, so deep nesting is safe.
 */
export function* leavesOf(whole: string, way?: Way): Generator<Leaf> {
  const waiting: { value: unknown; way: Way | undefined }[] = [{ value: whole, way }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, way } = next;
    const nested = typeof value === 'string' ? nestedIn(value) : isNested(value) ? value : undefined;
    if (Array.isArray(nested)) for (const one of nested) waiting.push({ value: one, way });
    else if (nested) {
      for (const [name, inner] of Object.entries(nested)) {
        yield { text: name, way };
        waiting.push({ value: inner, way: { name, within: way } });
      }
    } else if (typeof value === 'string' || typeof value === 'number') yield { text: String(value), way };
  }
}

/** The names of the fields, the outermost first. */
export function namesOf(way: Way | undefined): string[] {
  const names: string[] = [];
  for (let one = way; one; one = one.within) names.push(one.name);
  return names.toReversed();
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Only objects and lists count as nested: a text of digits stays a text. */
function nestedIn(text: string): object | undefined {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return [value];
    return isNested(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** 15 or 16 digits, alone or in the usual groups; not part of a longer number, a decimal, a UUID or a word. */
const numberLike = /(?<![\w.-])(?:\d{15,16}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{5})(?![\w-]|\.\d)/g;
/** Visa, Mastercard (two ranges), American Express, Discover: other numbers of this length are not cards. */
const issued = /^(?:4\d{15}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}|3[47]\d{13}|6(?:011|5\d\d)\d{12})$/;

/** Whether a text contains what could be a full card number. */
export const hasCardNumber = (text: string) =>
  [...text.matchAll(numberLike)].some(([number]) => isIssued(number.replaceAll(/[ -]/g, '')));

const isIssued = (digits: string) => issued.test(digits) && fitsCheckDigit(digits);

/** The check digit of payment cards. One in ten random numbers fits it too. */
export const fitsCheckDigit = (digits: string) => luhnSum(digits) % 10 === 0;

const luhnSum = (digits: string) =>
  digits
    .split('')
    .reverse()
    .reduce((sum, digit, place) => sum + (place % 2 === 0 ? Number(digit) : doubled(digit)), 0);

function doubled(digit: string): number {
  const twice = Number(digit) * 2;
  return twice > 9 ? twice - 9 : twice;
}
