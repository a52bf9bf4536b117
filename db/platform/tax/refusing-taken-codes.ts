import { invalid } from '../../../domain/errors.ts';
import { refuseTaken } from '../../support/refuse-taken.ts';

export const codeIsTaken = '%1 already exists.';

/** Refuses with 400 where the code of a rate or rule is taken. */
export const refusingTakenCodes = <Result>(save: () => Promise<Result>): Promise<Result> =>
  refuseTaken(save, () => invalid(codeIsTaken, ['Code']));
