import { invalidValue } from '../../domain/errors.ts';

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
  if (given && chosen === undefined) throw invalidValue(fieldName, given);
  return chosen ?? null;
}
