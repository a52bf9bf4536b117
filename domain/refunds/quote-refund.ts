import { creditKinds, type CreditKind, type CreditLeg, type CreditUse } from '../credits/applied-credit.ts';
import { type Amount, add, toPlain, zero } from '../money/amount.ts';
import { type Quantity, none, plus } from '../money/quantity.ts';
import { givenInOrderCurrency, type RatedCurrencies } from '../platform/credit-memos/credit-memo-currencies.ts';
import type { CreditMemoRequest } from '../platform/credit-memos/credit-memo.ts';

/**
 * What a refund will book, from plain data. The preview and every settlement call the same functions, so that what a
 * register was shown is what is booked.
 */

/** What a settle may ask for beside its method; amounts in the order's currency, ex tax (spec 4.8). */
export interface SettlementOptions {
  adjustmentPositive: Amount;
  adjustmentNegative: Amount;
  /** Null: the platform distributes what is left of the shipping. */
  shippingAmount: Amount | null;
  notifyCustomer: boolean;
}

/** What the register calls a refund, whoever carries it out, and the request under which its terminal's words are kept. */
export interface ToldReference {
  reference: string;
  requestId: string;
}

export const plainSettlement: SettlementOptions = {
  adjustmentPositive: zero,
  adjustmentNegative: zero,
  shippingAmount: null,
  notifyCustomer: false,
};

export interface RefundedItem {
  orderItemId: number;
  qty: Quantity;
}

export const legKinds = creditKinds;

/** A credit leg: what of a refund goes back to store credit, a gift card or points instead of the original tender. */
export interface RefundLeg {
  kind: CreditKind;
  providerCode: string;
  /** Absent: a tender, as all were before points could be a discount. */
  appliesAs?: CreditUse;
  baseAmount: Amount;
  amount: Amount;
  points?: number;
}

/** A leg as the register was shown it, as far as it can be read: what it says never stops a settle (spec 4.8). */
export interface ExpectedLeg {
  kind: CreditKind | 'unknown';
  /** Null: none was sent that can be read. */
  amount: Amount | null;
  points?: number;
}

/** A leg as it is told: which credit of the order it is stays in the books. */
export const asRefundLeg = ({ kind, providerCode, appliesAs, baseAmount, amount, points }: CreditLeg): RefundLeg => ({
  kind,
  providerCode,
  appliesAs,
  baseAmount,
  amount,
  ...(points === null ? {} : { points }),
});

/**
 * The credit memo a settlement asks for. What is given finer than a coin of the order's currency is rounded to it, half
 * away from zero: nobody hands out less, and memo and order would disagree (platform facts 7.2).
 */
export function memoRequest(
  items: readonly RefundedItem[],
  options: SettlementOptions,
  rated: RatedCurrencies,
): CreditMemoRequest {
  const inBoth = (given: Amount) => givenInOrderCurrency(given, rated);
  const shipping = inBoth(options.shippingAmount ?? zero);
  return {
    items: summed(items),
    // Zero means "distribute", as does nothing at all (spec 4.8 shippingAmount).
    ...(shipping.order === zero ? {} : { shipping }),
    adjustmentPositive: inBoth(options.adjustmentPositive),
    adjustmentNegative: inBoth(options.adjustmentNegative),
  };
}

/** Two rows of one line are one line of the memo. */
function summed(items: readonly RefundedItem[]): RefundedItem[] {
  const sums = new Map<number, Quantity>();
  for (const { orderItemId, qty } of items) sums.set(orderItemId, plus(sums.get(orderItemId) ?? none, qty));
  return [...sums].map(([orderItemId, qty]) => ({ orderItemId, qty }));
}

/**
 * One sentence on how the booked legs differ from those the register was shown; null when they are equal or none were
 * sent (spec 2.11 `refund_difference`).
 */
export function differenceOf(
  expected: readonly ExpectedLeg[] | undefined,
  booked: readonly RefundLeg[],
): string | null {
  if (expected === undefined) return null;
  const kinds = new Set([...expected, ...booked].map((leg) => leg.kind));
  const differing = [...kinds].flatMap((kind) => {
    const [was, is] = [told(expected, kind), told(booked, kind)];
    return was === is ? [] : [`${kind}: expected ${was}, booked ${is}`];
  });
  return differing.length === 0 ? null : `The credit given back differs from the preview (${differing.join('; ')}).`;
}

/** `12.5`, or `12.5 for 500 points`: all legs of a kind together. */
function told(legs: readonly ExpectedLeg[], kind: ExpectedLeg['kind']): string {
  const own = legs.filter((leg) => leg.kind === kind);
  const amounts = own.flatMap((leg) => leg.amount ?? []);
  if (amounts.length < own.length) return 'an amount that cannot be read';
  const worth = toPlain(add(zero, ...amounts));
  const points = own.reduce((sum, leg) => sum + (leg.points ?? 0), 0);
  return points === 0 ? worth : `${worth} for ${points} points`;
}
