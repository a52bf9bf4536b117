import { invalidValue } from '../../domain/errors.ts';

/**
 * The choice from a list, where it applies; null for an absent or empty one.
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
