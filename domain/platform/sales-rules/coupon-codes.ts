/** Codes of coupons that are drawn by lot (platform facts 9.4). Pure: the caller draws. */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';

export const couponAlphabets = { num: digits, alpha: letters, alphanum: letters + digits } as const;
export type CouponFormat = keyof typeof couponAlphabets;

export const isCouponFormat = (text: string): text is CouponFormat => Object.hasOwn(couponAlphabets, text);

/** The form of the codes that are asked for. */
export interface CouponForm {
  format: CouponFormat;
  /** Drawn characters, without prefix, suffix and delimiters. */
  length: number;
  prefix: string;
  suffix: string;
  delimiter: string;
  /** A delimiter after every so many characters; 0: none. */
  delimiterEvery: number;
}

/** Codes are lengthened until a guess hits one of them at most this often, as on the platform. */
const likeliestGuess = 0.25;

/** The length at which so many codes of the form are hard enough to guess. */
export function safeLength({ format, length }: CouponForm, quantity: number): number {
  const size = couponAlphabets[format].length;
  let safe = length;
  while (quantity / size ** safe > likeliestGuess) safe++;
  return safe;
}

/**
 * Draws one code.
 *
 * @param draw a number from 0 to below the given one, by lot
 */
export function drawCode(form: CouponForm, draw: (below: number) => number): string {
  const alphabet = couponAlphabets[form.format];
  const drawn = Array.from({ length: form.length }, (_, at) => {
    const isSplit = form.delimiterEvery > 0 && at > 0 && at % form.delimiterEvery === 0;
    return `${isSplit ? form.delimiter : ''}${alphabet.charAt(draw(alphabet.length))}`;
  });
  return `${form.prefix}${drawn.join('')}${form.suffix}`;
}
