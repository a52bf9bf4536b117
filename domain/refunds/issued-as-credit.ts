import { zero, type Amount } from '../money/amount.ts';
import type { Coins } from '../money/coins.ts';
import { handbackOf, type Handback, type RefundLeg } from './quote-refund.ts';

/**
 * The rest that the register must issue as store credit after the memo is booked, as a separate leg (spec 4.8,
 * channel `store_credit`). Undefined where the memo's own legs give everything back.
 */
export const legToIssue = (
  refund: Pick<Handback, 'baseHandback' | 'handback'>,
  providerCode: string,
): RefundLeg | undefined =>
  refund.handback === zero && refund.baseHandback === zero
    ? undefined
    : { kind: 'store_credit', providerCode, baseAmount: refund.baseHandback, amount: refund.handback };

/** The legs of a refund whose rest is issued as store credit, for comparing with the legs a register expected. */
export function legsWithIssued(totals: { base: Amount; order: Amount }, legs: readonly RefundLeg[], coins: Coins) {
  const issued = legToIssue(handbackOf(totals, legs, coins), 'store_credit');
  return issued === undefined ? legs : [...legs, issued];
}
