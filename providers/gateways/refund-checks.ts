import { notSent } from './findings.ts';

/** As long as the column that keeps it: a longer one is no reference of theirs. */
export const longestReference = 255;

/** Our own check before anything is sent. */
export const tooFine = notSent(
  'The amount is finer than the smallest coin of its currency; no gateway can pay it out.',
);
