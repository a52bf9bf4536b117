import type { Amount } from '../money/amount.ts';
import type { CreditKind, CreditUse } from './applied-credit.ts';

/** The points of a customer at a provider, and the rules for spending them. */
export interface SpendablePoints {
  balance: number;
  /** What one point is worth, in the base currency. */
  valueOfPoint: Amount;
  granularity: number;
  /** The minimum for one payment. */
  minimum: number;
}

/** A credit that a customer may spend, as its provider describes it. Money in the base currency of the website. */
export interface SpendableCredit {
  kind: CreditKind;
  providerCode: string;
  /** Of a gift card. */
  code: string | null;
  /** Zero for points: their value is computed. */
  balance: Amount;
  points: SpendablePoints | null;
  appliesAs: CreditUse;
  /** Whether it also pays taxes, as the merchant set it for this kind (spec 2.1). */
  includesTax: boolean;
  excludedSkus: ReadonlySet<string>;
  /** Why it cannot be spent on any cart; null when it can. */
  whyNot: string | null;
}
