import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';

/**
 * A refusal that tells the id of the return it left behind: a register without a sale id would not find it otherwise.
 * Values by number are put into the message, so that the id can stand beside them by its name.
 */
export function withReturnId({ refusal }: PosError, returnId: number): PosError {
  const { message, parameters } = refusal;
  const named = Array.isArray(parameters) ? {} : parameters;
  return new PosError({
    ...refusal,
    message: Array.isArray(parameters) ? fillIn(message, parameters) : message,
    parameters: { ...named, return_id: returnId },
  });
}
