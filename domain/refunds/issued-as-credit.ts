import { handbackOf } from '../credits/handback.ts';
import { zero } from '../money/amount.ts';
import type { Coins } from '../money/coins.ts';
import type { InBoth } from '../money/in-both.ts';
import type { RefundLeg } from './quote-refund.ts';

/**
 * The rest that the register must issue as store credit after the memo is booked, as a separate leg (spec 4.8,
 * channel `store_credit`). Undefined where the memo's own legs give everything back.
 */
export const legToIssue = (handback: InBoth, providerCode: string): RefundLeg | undefined =>
  handback.order === zero && handback.base === zero
    ? undefined
    : { kind: 'store_credit', providerCode, baseAmount: handback.base, amount: handback.order };

/** The legs of a refund whose rest is issued as store credit, to compare with what a register was shown. */
export function legsWithIssued(totals: InBoth, legs: readonly RefundLeg[], coins: Coins) {
  const issued = legToIssue(handbackOf(totals, legs, coins), 'store_credit');
  return issued === undefined ? legs : [...legs, issued];
}
