import type { Refusal } from './errors.ts';

/** A refusal as a value, passed from the transaction to the route. Activities and updates carry it without failing. */
export interface Refused {
  refused: Refusal;
}

export type Outcome<Answer> = Answer | Refused;

export const isRefused = (outcome: unknown): outcome is Refused =>
  typeof outcome === 'object' && outcome !== null && 'refused' in outcome;
