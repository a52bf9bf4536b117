import type { Amount } from '../money/amount.ts';
import type { CreditKind, CreditUse } from './applied-credit.ts';

/** Points as a provider has them, and what it takes to spend them. */
export interface SpendablePoints {
  balance: number;
  /** What one point is worth, in the base currency. */
  valueOfPoint: Amount;
  granularity: number;
  /** The least that may be spent at once. */
  minimum: number;
}

/** One credit somebody may spend, as its provider tells of it; money in the base currency of the website. */
export interface SpendableCredit {
  kind: CreditKind;
  providerCode: string;
  /** Of a gift card. */
  code: string | null;
  /** Zero for points: what they are worth follows from them. */
  balance: Amount;
  points: SpendablePoints | null;
  appliesAs: CreditUse;
  /** Whether it pays taxes too, as the merchant set it for the kind (spec 2.1). */
  includesTax: boolean;
  excludedSkus: ReadonlySet<string>;
  /** Why nothing can be spent of it whatever the cart is; null when something can. */
  whyNot: string | null;
}
