import type { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';

/** Why a return is not eligible whose money cannot go back: the settlement's own sentence, as a rule of the shop. */
export const moneyObjection = ({ message, parameters }: PosError) => ({
  outcome: 'forbidden' as const,
  reasonCode: 'vendor_rule' as const,
  reason: fillIn(message, parameters),
});
