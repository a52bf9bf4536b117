import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';

/**
 * Adds the id of the created return to a refusal, because a register without a sale id could not find it otherwise.
 * Numbered values are filled into the message, so that the id can be a named parameter.
 */
export function withReturnId({ refusal }: PosError, returnId: number): PosError {
  const { message, parameters } = refusal;
  if (Array.isArray(parameters))
    return new PosError({ ...refusal, message: fillIn(message, parameters), parameters: { return_id: returnId } });
  const named = new Map(Object.entries(parameters ?? {})).set('return_id', returnId);
  return new PosError({ ...refusal, parameters: Object.fromEntries(named) });
}
