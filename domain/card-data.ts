import { invalid } from './errors.ts';

/** What was found, and in which field: `raw_payload.payment.note`; empty for a text without a field. */
export interface CardData {
  what: string;
  at: string;
}

/**
 * Finds card data that must not be stored, not even encrypted (PCI DSS 3.3.1): tracks, security codes, PIN blocks;
 * and card numbers written in another field. A masked number passes. It reads any text, also JSON and JSON within
 * JSON.
 *
 * Numbers in fields such as a sku, code, barcode, id or gift card are not card numbers, though one in ten fits the
 * check digit. So a gift card never keeps a receipt from being stored.
 *
 * @param field the field whose value the text is
 */
export function cardDataIn(text: string, field?: string): CardData | undefined {
  // Most texts have nothing like it, so they are not parsed.
  if (!manyDigits.test(text) && !secretField.test(text)) return undefined;
  for (const leaf of leavesOf(text, wayOf(field))) {
    const what = cardNumberIn(leaf);
    if (what) return { what, at: fieldOf(leaf, field) };
  }
  return undefined;
}

const manyDigits = /(?:\d[ -]?){12}/;

const wayOf = (field: string | undefined): Way | undefined =>
  field?.split('.').reduce<Way | undefined>((within, name) => ({ name, within }), undefined);

/** A track is looked for in every field, because it never looks like an ordinary number. */
function cardNumberIn({ text, way }: Leaf): string | undefined {
  if (isSecret(text, way) || secretField.test(text)) return 'it carries the security code or PIN of a card';
  if (!manyDigits.test(text)) return undefined;
  if (hasTrack(text)) return 'it carries track data of a card';
  return hasCardNumber(text) && !isNumberOfElse(way) ? 'it carries a card number' : undefined;
}

const track1 = /%?B\d{12,19}\^[^^\n]{2,26}\^\d{4}/;

/** Card number, expiry year and month, service code. A hexadecimal digest may look alike but fails the check digit. */
const track2 = /(?<!\d)(\d{12,19})[=D]\d{2}(?:0[1-9]|1[0-2])[\dF]{3,}/g;

const hasTrack = (text: string) =>
  track1.test(text) || [...text.matchAll(track2)].some(([, digits = '']) => fitsCheckDigit(digits));

/**
 * A field whose name says so, with digits in it; escaped quotes because JSON texts lie within JSON texts. The pattern
 * begins with the quote, not with a backslash before it: a run of backslashes would take quadratic time.
 */
const secretField = /["'](?:cvv2?|cvc2?|security_?code|pin_?block|pin)\\*["']\s*:\s*\\*["']?[0-9A-F]{3,}/i;

const secretName = /^(?:cvv2?|cvc2?|security_?code|pin_?block|pin)$/i;

/** A gift card has a PIN of its own, which is not card data. */
const isSecret = (text: string, way: Way | undefined) =>
  way !== undefined && secretName.test(way.name) && /^[0-9A-F]{3,}/i.test(text) && !isOf(ofGiftCard, way);

const isOf = (what: RegExp, way: Way | undefined) => namesOf(way).some((name) => what.test(name));

const ofGiftCard = /gift_?-?cards?|applied_?credits/i;

const ofGoods = /^(?:items?|lines|products?|.*shipments)$/i;

/** Fields that hold another kind of number, by the last word of the name: `sku`, `giftCardCode`, `payment_id`. */
const numbered =
  /(?:^|[_-])(?:skus?|codes?|barcodes?|ean|ean13|upc|gtin|isbn|ids?|uuid|guid|imei|serials?|reference|ref|token)$/i;

/** `receipt_number`, `gift_card_number`; but not a bare `number` or a `card_number`. */
const numberOf =
  /(?:gift_?card|voucher|coupon|receipt|order|invoice|sale|item|serial|product|article|track(?:ing)?|transaction|member(?:ship)?|loyalty(?:_card)?|return|customer)_(?:number|no)$/i;

/** An item of a list has the name of its list. Goods may have a number as their name: a gift card often does. */
function isNumberOfElse(way: Way | undefined): boolean {
  if (way === undefined) return false;
  const name = way.name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_');
  if (numbered.test(name) || numberOf.test(name)) return true;
  return isOf(ofGiftCard, way) || (/^(?:name|title)$/i.test(name) && isOf(ofGoods, way.within));
}

/** The path to the field. Of a path that is long, or holds a number, only the beginning is shown. */
function fieldOf({ way }: Leaf, field = ''): string {
  const names = namesOf(way).join('.');
  return names.length <= 100 && !/\d{6}/.test(names) ? names : field;
}

/**
 * 400 for a text with track data, a PIN block or a full card number. It must not be stored, not even sealed, and is
 * in a history only by mistake (our choice 4). For a document the field is named.
 */
export function refuseCardData(text: string | undefined): void {
  const found = text && cardDataIn(text);
  if (found) throw invalid(`The text must not be stored: ${found.what}${found.at && ` in ${found.at}`}.`);
}

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

/** The names of the fields, the outermost first. */
export function namesOf(way: Way | undefined): string[] {
  const names: string[] = [];
  for (let one = way; one; one = one.within) names.push(one.name);
  return names.toReversed();
}

export const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Only objects and lists count as nested: a text of digits stays a text. */
export function nestedIn(text: string): object | undefined {
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

/**
 * The plain values of a JSON text, also those of JSON texts within it; every key counts as a value, too. A text that
 * is not JSON is its own value. It does not recurse, so deep nesting is safe.
 */
function* leavesOf(whole: string, way?: Way): Generator<Leaf> {
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
