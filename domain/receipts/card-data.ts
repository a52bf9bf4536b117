/**
 * Finds card data that must not be stored, not even encrypted (PCI DSS 3.3.1): tracks, card numbers, security codes, PIN
 * blocks. A masked number passes. Read in any text, JSON or not.
 */
export function cardDataIn(text: string): string | undefined {
  if (track1.test(text) || track2.test(text)) return 'it carries track data of a card';
  if (secretField.test(text)) return 'it carries the security code or PIN of a card';
  for (const [number] of text.matchAll(numberLike)) {
    if (isCardNumber(number.replaceAll(/[ -]/g, ''))) return 'it carries a card number';
  }
  return undefined;
}

const track1 = /%?B\d{12,19}\^[^^\n]{2,26}\^\d{4}/;
const track2 = /(?<!\d)\d{12,19}[=D]\d{4}[\dF]{3,}/;
/**
 * A field whose name says so, with digits in it; escaped quotes because JSON texts lie within JSON texts. It begins with
 * the quote, not with what may escape it: a run of backslashes would be read anew from each of them.
 */
const secretField = /["'](?:cvv2?|cvc2?|security_?code|pin_?block|pin)\\*["']\s*:\s*\\*["']?[0-9A-F]{3,}/i;
/** 15 or 16 digits, alone or in the usual groups; not a piece of a longer number, a decimal, a UUID or a word. */
const numberLike = /(?<![\w.-])(?:\d{15,16}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{5})(?![\w-]|\.\d)/g;
/** Visa, Mastercard (two ranges), American Express, Discover: other digits of this length are just numbers. */
const issued = /^(?:4\d{15}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}|3[47]\d{13}|6(?:011|5\d\d)\d{12})$/;

const isCardNumber = (digits: string) => issued.test(digits) && luhnSum(digits) % 10 === 0;

const luhnSum = (digits: string) =>
  digits
    .split('')
    .reverse()
    .reduce((sum, digit, place) => sum + (place % 2 === 0 ? Number(digit) : doubled(digit)), 0);

function doubled(digit: string): number {
  const twice = Number(digit) * 2;
  return twice > 9 ? twice - 9 : twice;
}
