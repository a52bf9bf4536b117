import type { Refusal } from './errors.ts';

/** A refusal as a value, from the transaction to the route: it passes activities and updates without failing them. */
export interface Refused {
  refused: Refusal;
}

export type Outcome<Answer> = Answer | Refused;

export const isRefused = (outcome: unknown): outcome is Refused =>
  typeof outcome === 'object' && outcome !== null && 'refused' in outcome;
