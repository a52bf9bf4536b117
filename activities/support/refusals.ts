import { PosError } from '../../domain/errors.ts';
import type { Outcome } from '../../domain/outcome.ts';

/** Turns a refusal into a value after its transaction has rolled back; other errors stay faults that are retried. */
export async function orRefused<Answer>(work: () => Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PosError) return { refused: error.refusal };
    throw error;
  }
}
