import { type Amount, subtract } from '../money/amount.ts';

/** Credit spent on an order: store credit, gift cards, points. Every amount exists in two currencies. */

export const creditKinds = ['store_credit', 'gift_card', 'reward_points'] as const;
export type CreditKind = (typeof creditKinds)[number];

/**
 * How an order uses a credit.
 *
 * `tender`: a payment, counted in the order's total paid. `discount`: part of the posted discount, so no money; a
 * refund gives back only its points.
 */
export const creditUses = ['tender', 'discount'] as const;
export type CreditUse = (typeof creditUses)[number];

/** A credit of an order: what was given back of it, and what is promised to refunds under way. */
export interface AppliedCredit {
  creditId: number;
  kind: CreditKind;
  providerCode: string;
  appliesAs: CreditUse;
  /** Of a gift card: a secret that is never shown in full. */
  code: string | null;
  baseAmount: Amount;
  amount: Amount;
  points: number | null;
  baseReturned: Amount;
  amountReturned: Amount;
  pointsReturned: number;
}

/** What goes back at once to a wallet, a gift card or a points account. */
export interface CreditLeg {
  creditId: number;
  kind: CreditKind;
  providerCode: string;
  appliesAs: CreditUse;
  baseAmount: Amount;
  amount: Amount;
  /** Null where the credit was not spent in points. */
  points: number | null;
}

/** What was not given back yet. */
export const restOf = (credit: AppliedCredit): CreditLeg => ({
  creditId: credit.creditId,
  kind: credit.kind,
  providerCode: credit.providerCode,
  appliesAs: credit.appliesAs,
  baseAmount: subtract(credit.baseAmount, credit.baseReturned),
  amount: subtract(credit.amount, credit.amountReturned),
  points: credit.points === null ? null : credit.points - credit.pointsReturned,
});

/** A leg of zero does not exist. */
export const isSomething = ({ baseAmount, amount, points }: CreditLeg) =>
  baseAmount > 0 || amount > 0 || (points ?? 0) > 0;

/** `****1234`: at most the last four characters of a gift card's code may be seen; of a short code, none. */
export const maskCode = (code: string) => `****${code.length > 8 ? code.slice(-4) : ''}`;
