import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { invalid } from '../../domain/errors.ts';
import type { WantedSpending } from './spending-rows.ts';

/**
 * Thrown for a valid order whose outside credit must be spent first. Its transaction rolls back, because no outside
 * call happens within one. It is not a refusal: the caller spends the credit and places the order again.
 */
export class OutsideCreditWanted extends Error {
  readonly wanted: readonly WantedSpending[];

  constructor(wanted: readonly WantedSpending[]) {
    super('credit kept outside has to be spent before the order is saved');
    this.name = 'OutsideCreditWanted';
    this.wanted = wanted;
  }
}

/** 400: no provider has such credit, or it cannot be spent. */
export const noCreditProvider = (kind: CreditKind, code: string | null) =>
  invalid('No provider of %1 is known as "%2".', [kind, code ?? '']);
