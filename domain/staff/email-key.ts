/**
 * The e-mail as sign-in compares it: without surrounding blanks, composed (NFC), in small letters.
 *
 * Everything else counts: `a+till@shop.test` is not `a@shop.test`, and a dotted capital İ is not an i.
 */
export const emailKey = (email: string) => email.trim().normalize('NFC').toLowerCase();

/** One `@` with something on both sides, no blanks, no control characters: enough to know a slip from an address. */
export const isEmail = (email: string) => /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) && email.length <= 254;
