import { invalid } from '../../domain/errors.ts';

/**
 * What was chosen of a list, where it counts; null for nothing, and for the empty text of a register's blank field.
 *
 * Refused with: 400 a choice that is not in the list.
 */
export function choiceOf<Choice extends string>(
  choices: readonly Choice[],
  fieldName: string,
  given: string | undefined,
): Choice | null {
  const chosen = choices.find((choice) => choice === given);
  if (given && chosen === undefined)
    throw invalid('Invalid value of "%value" provided for the %fieldName field.', { fieldName, value: given });
  return chosen ?? null;
}
