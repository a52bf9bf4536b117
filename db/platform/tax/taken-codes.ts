import { invalid } from '../../../domain/errors.ts';
import { refuseTaken } from '../../support/refuse-taken.ts';

/** The refusal of a rate or rule whose code is taken. */
export const codeIsTaken = () => invalid('%1 already exists.', ['Code']);

/** Refuses with 400 where the code of a rate or rule is taken. */
export const refusingTakenCodes = <Result>(save: () => Promise<Result>): Promise<Result> =>
  refuseTaken(save, codeIsTaken);
