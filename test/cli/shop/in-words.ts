import { PosError } from '../../../domain/errors.ts';
import { failureSentence } from '../../../cli/run.ts';

/** A refusal as the operator reads it. */
export const inWords = (error: unknown) =>
  error instanceof PosError ? failureSentence(error, undefined) : Promise.reject(error);
