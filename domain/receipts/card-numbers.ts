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
