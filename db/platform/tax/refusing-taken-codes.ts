import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';

export const codeIsTaken = '%1 already exists.';

/** Refuses with 400 where a unique index of the database finds the code of a rate or rule taken. */
export async function refusingTakenCodes<Result>(save: () => Promise<Result>): Promise<Result> {
  try {
    return await save();
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw invalid(codeIsTaken, ['Code']);
    throw error;
  }
}
