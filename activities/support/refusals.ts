import { PosError } from '../../domain/errors.ts';
import type { Outcome } from '../../domain/outcome.ts';

/** A refusal becomes a value once its transaction has rolled back; everything else stays a fault, to be tried again. */
export async function orRefused<Answer>(work: () => Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PosError) return { refused: error.refusal };
    throw error;
  }
}
