import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { invalid } from '../../domain/errors.ts';
import type { WantedSpending } from './spending-rows.ts';

/**
 * An order in which all is well, but that credit kept outside has to be spent on it first: its transaction is rolled
 * back, for nobody outside is called from one. No refusal: whoever places orders catches it, has the credit spent, and
 * places the order again.
 */
export class OutsideCreditWanted extends Error {
  readonly wanted: readonly WantedSpending[];

  constructor(wanted: readonly WantedSpending[]) {
    super('credit kept outside has to be spent before the order is saved');
    this.name = 'OutsideCreditWanted';
    this.wanted = wanted;
  }
}

/** 400: nobody keeps such credit, or does not let it be spent. */
export const noCreditProvider = (kind: CreditKind, code: string | null) =>
  invalid('No provider of %1 is known as "%2".', [kind, code ?? '']);
