import { invalid, type PosError } from '../../../domain/errors.ts';

/** The platform's message, also for a file that is no picture (platform facts 14). */
export const notPicture = (): PosError => invalid('The image content must be valid base64 encoded data.');
