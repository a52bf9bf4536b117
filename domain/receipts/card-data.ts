import { fitsCheckDigit, hasCardNumber } from './card-numbers.ts';
import { leavesOf, namesOf, type Leaf, type Way } from './text-leaves.ts';

/** What was found, and the field: `raw_payload.payment.note`; empty for a text that is no field's. */
export interface CardData {
  what: string;
  at: string;
}

/**
 * Finds card data that must not be stored, not even encrypted (PCI DSS 3.3.1): tracks, security codes, PIN blocks; and card
 * numbers that somebody wrote where none belongs. A masked number passes. Read in any text, JSON or not, JSON in JSON too.
 *
 * A number whose field says what it is (a sku, a code, a barcode, an id, a gift card's) is that, though it may fit a
 * card's check digit: one in ten does. So a gift card never costs a sale its receipt.
 *
 * @param field that the text is the value of
 */
export function cardDataIn(text: string, field?: string): CardData | undefined {
  // Most texts hold nothing that looks like it, and are not taken apart.
  if (!manyDigits.test(text) && !secretField.test(text)) return undefined;
  for (const leaf of leavesOf(text, wayOf(field))) {
    const what = whatIn(leaf);
    if (what) return { what, at: fieldOf(leaf, field) };
  }
  return undefined;
}

const manyDigits = /(?:\d[ -]?){12}/;

const wayOf = (field: string | undefined): Way | undefined =>
  field?.split('.').reduce<Way | undefined>((within, name) => ({ name, within }), undefined);

/** Nobody writes a track where an ordinary number belongs: those are looked for everywhere. */
function whatIn({ text, way }: Leaf): string | undefined {
  if (isSecret(text, way) || secretField.test(text)) return 'it carries the security code or PIN of a card';
  if (!manyDigits.test(text)) return undefined;
  if (hasTrack(text)) return 'it carries track data of a card';
  return hasCardNumber(text) && !isNumberOfElse(way) ? 'it carries a card number' : undefined;
}

const track1 = /%?B\d{12,19}\^[^^\n]{2,26}\^\d{4}/;
/** The number, the year and month it ends, a service code. A hexadecimal digest may look alike but for its check digit. */
const track2 = /(?<!\d)(\d{12,19})[=D]\d{2}(?:0[1-9]|1[0-2])[\dF]{3,}/g;

const hasTrack = (text: string) =>
  track1.test(text) || [...text.matchAll(track2)].some(([, digits = '']) => fitsCheckDigit(digits));

/**
 * A field whose name says so, with digits in it; escaped quotes because JSON texts lie within JSON texts. It begins with
 * the quote, not with what may escape it: a run of backslashes would be read anew from each of them.
 */
const secretField = /["'](?:cvv2?|cvc2?|security_?code|pin_?block|pin)\\*["']\s*:\s*\\*["']?[0-9A-F]{3,}/i;
const secretName = /^(?:cvv2?|cvc2?|security_?code|pin_?block|pin)$/i;

/** A gift card has a PIN of its own, which is no card's. */
const isSecret = (text: string, way: Way | undefined) =>
  way !== undefined && secretName.test(way.name) && /^[0-9A-F]{3,}/i.test(text) && !isOf(ofGiftCard, way);

const isOf = (what: RegExp, way: Way | undefined) => namesOf(way).some((name) => what.test(name));

const ofGiftCard = /gift_?-?cards?|applied_?credits/i;
const ofGoods = /^(?:items?|lines|products?|.*shipments)$/i;

/** Fields whose number is something else's, by the last word of the name: `sku`, `giftCardCode`, `payment_id`. */
const numbered =
  /(?:^|[_-])(?:skus?|codes?|barcodes?|ean|ean13|upc|gtin|isbn|ids?|uuid|guid|imei|serials?|reference|ref|token)$/i;
/** `receipt_number`, `gift_card_number`; a bare `number` or a `card_number` is none of them. */
const numberOf =
  /(?:gift_?card|voucher|coupon|receipt|order|invoice|sale|item|serial|product|article|track(?:ing)?|transaction|member(?:ship)?|loyalty(?:_card)?|return|customer)_(?:number|no)$/i;

/** What stands in a list is named as its list is. Goods may be called by a number: a gift card often is. */
function isNumberOfElse(way: Way | undefined): boolean {
  if (way === undefined) return false;
  const name = way.name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_');
  if (numbered.test(name) || numberOf.test(name)) return true;
  return isOf(ofGiftCard, way) || (/^(?:name|title)$/i.test(name) && isOf(ofGoods, way.within));
}

/** A way that is long, or has a number in it, is not said again but for its beginning. */
function fieldOf({ way }: Leaf, field = ''): string {
  const names = namesOf(way).join('.');
  return names.length <= 100 && !/\d{6}/.test(names) ? names : field;
}
