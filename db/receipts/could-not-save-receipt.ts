import { invalid } from '../../domain/errors.ts';

/** 400 in the words of spec 4.9. */
export const couldNotSaveReceipt = (why: string) => invalid('Could not save the receipt: %1', [why]);
