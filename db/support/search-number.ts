/** Longer ones are no numbers that anybody means. */
const maxLength = 100;
const number = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,20}))?$/i;
/** Powers of ten beyond every column: a larger one finds the same rows. */
const mostTens = 40;
const largestId = 9_223_372_036_854_775_807n;

/** A number as a filter may write it (`5`, `1.50`, `.5`, `1e2`), as digits before and behind the point. */
interface Decimal {
  isNegative: boolean;
  whole: string;
  fraction: string;
}

function readDecimal(text: string): Decimal | undefined {
  const [, sign, whole = '', fraction = '', tens = '0'] = (text.length <= maxLength && number.exec(text.trim())) || [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const shift = Math.max(-mostTens - maxLength, Math.min(mostTens + maxLength, Number(tens)));
  const digits = `${'0'.repeat(Math.max(0, -shift - whole.length))}${whole}${fraction}`;
  const padded = digits.padEnd(whole.length + shift, '0');
  const point = Math.max(0, whole.length + shift);
  return { isNegative: sign === '-', whole: padded.slice(0, point) || '0', fraction: padded.slice(point) };
}

/** The number as PostgreSQL reads it, without a power of ten; undefined when the text is no number. */
export function readNumeric(text: string): string | undefined {
  const read = readDecimal(text);
  return read && `${read.isNegative ? '-' : ''}${read.whole}${read.fraction === '' ? '' : `.${read.fraction}`}`;
}

/** The whole numbers on both sides of a number: `1.5` lies between 1 and 2, `2` is both. As text, for a bigint. */
export interface Neighbours {
  floor: string;
  ceiling: string;
  isWhole: boolean;
}

/** Undefined when the text is no number. A number beyond every id is the largest there can be, which nothing has. */
export function readNeighbours(text: string): Neighbours | undefined {
  const read = readDecimal(text);
  if (!read) return undefined;
  const isWhole = !/[1-9]/.test(read.fraction);
  const towardsZero = BigInt(read.whole) * (read.isNegative ? -1n : 1n);
  return {
    floor: ofColumn(read.isNegative && !isWhole ? towardsZero - 1n : towardsZero),
    ceiling: ofColumn(read.isNegative || isWhole ? towardsZero : towardsZero + 1n),
    isWhole,
  };
}

const ofColumn = (value: bigint) => String(value > largestId ? largestId : value < -largestId ? -largestId : value);
