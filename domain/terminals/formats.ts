/** Formats of spec 8. Both look at the whole text: in JavaScript `$` without the flag `m` is the very end. */

export const isActivationCode = (text: string) => /^[A-Za-z0-9]{4,12}$/.test(text);
export const isDeviceIdentifier = (text: string) => /^[a-zA-Z0-9-]{1,100}$/.test(text);

/** The permitted form of a license key: printable, so that a form field cannot change it. */
export const isLicenseKey = (text: string) => /^[\x21-\x7e]{1,128}$/.test(text);

/** Codes are kept and compared in capitals: people read them off a screen and type them. */
export const canonicalCode = (code: string) => code.toUpperCase();

/** Letters and digits that are hard to mistake for one another, and the length of a generated code (40 bits). */
export const codeAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const codeLength = 8;
