/**
 * The form of an e-mail that sign-in compares: without surrounding blanks, composed (NFC), in small letters.
 *
 * Everything else counts: `a+till@shop.test` differs from `a@shop.test`, and a dotted capital İ from an i.
 */
export const emailKey = (email: string) => email.trim().normalize('NFC').toLowerCase();

/** One `@` with text on both sides, no blanks, no control characters: enough to notice a typing error. */
export const isEmail = (email: string) => /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) && email.length <= 254;
