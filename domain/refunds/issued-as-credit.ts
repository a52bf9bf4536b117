import { zero, type Amount } from '../money/amount.ts';
import type { Coins } from '../money/coins.ts';
import { handbackOf, type Handback, type RefundLeg } from './quote-refund.ts';

/**
 * What is left for the register to issue as store credit once the memo is booked, as a leg of its own (spec 4.8, channel
 * `store_credit`); undefined where the memo's own legs give everything back.
 */
export const legToIssue = (
  refund: Pick<Handback, 'baseHandback' | 'handback'>,
  providerCode: string,
): RefundLeg | undefined =>
  refund.handback === zero && refund.baseHandback === zero
    ? undefined
    : { kind: 'store_credit', providerCode, baseAmount: refund.baseHandback, amount: refund.handback };

/** The legs of a refund whose rest is issued as store credit, to compare with what a register was shown. */
export function legsWithIssued(totals: { base: Amount; order: Amount }, legs: readonly RefundLeg[], coins: Coins) {
  const issued = legToIssue(handbackOf(totals, legs, coins), 'store_credit');
  return issued === undefined ? legs : [...legs, issued];
}
