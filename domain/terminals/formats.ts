/** Formats of spec 8. Both look at the whole text: in JavaScript `$` without the flag `m` is the very end. */

export const isActivationCode = (text: string) => /^[A-Za-z0-9]{4,12}$/.test(text);
export const isDeviceIdentifier = (text: string) => /^[a-zA-Z0-9-]{1,100}$/.test(text);

/** What a license service may call a license: nothing that is lost in a line of a form. */
export const isLicenseKey = (text: string) => /^[\x21-\x7e]{1,128}$/.test(text);

/** Codes are kept and compared in capitals: they are read off a screen and typed by hand. */
export const canonicalCode = (code: string) => code.toUpperCase();

/** Letters and digits that nobody mistakes for one another, and how many of them a made code has (40 bits). */
export const codeAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const codeLength = 8;
