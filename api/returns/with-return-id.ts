import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';

/**
 * A refusal that tells the id of the return it left behind: a register without a sale id would not find it otherwise.
 * Values by number are put into the message, so that the id can stand beside them by its name.
 */
export function withReturnId({ refusal }: PosError, returnId: number): PosError {
  const { message, parameters } = refusal;
  if (Array.isArray(parameters))
    return new PosError({ ...refusal, message: fillIn(message, parameters), parameters: { return_id: returnId } });
  const named = new Map(Object.entries(parameters ?? {})).set('return_id', returnId);
  return new PosError({ ...refusal, parameters: Object.fromEntries(named) });
}
