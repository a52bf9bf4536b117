import { randomInt } from 'node:crypto';

/** Without letters and digits that look alike. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** 80 random bits, too many to guess. */
const codeLength = 16;

/** A code for a gift card that no other card has: four groups of four characters. */
export const newGiftCardCode = (): string =>
  Array.from(
    { length: codeLength },
    (_, at) => `${at > 0 && at % 4 === 0 ? '-' : ''}${letters[randomInt(letters.length)]}`,
  ).join('');
