import { invalid, type PosError } from '../../../domain/errors.ts';

/** The platform's message, also for a file that is no picture (platform facts 14). */
export const notPicture = (): PosError => invalid('The image content must be valid base64 encoded data.');

/** A picture of so few bytes is a whole one: what broke off on its way is larger. */
const mostForgiven = 1_024;

/**
 * Whether the picture may lack its last block, or have wrong checksums. Every browser shows such a file, and other
 * programs write them.
 */
export const isForgiven = (file: Buffer): boolean => file.length <= mostForgiven;
