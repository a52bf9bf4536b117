import { notSent } from './findings.ts';

/** The length of the column; a longer text is not a valid reference. */
export const longestReference = 255;

/** Our own check before anything is sent. */
export const tooFine = notSent(
  'The amount is finer than the smallest coin of its currency; no gateway can pay it out.',
);
