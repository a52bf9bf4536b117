import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import type { SpendableCredit } from '../../domain/credits/spendable-credit.ts';
import type { ShopSettings } from '../../domain/configuration/shop-settings.ts';
import type { Amount } from '../../domain/money/amount.ts';
import type { CreditScope } from '../../db/credit-stores/read-credit-scope.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';

/** Somebody's balance at one provider, as registers are told of it (spec 2.10). Money or points, never both. */
export interface CreditBalance {
  kind: CreditKind;
  providerCode: string;
  label: string;
  /** In `currencyCode`; null for points. */
  money: Amount | null;
  points: number | null;
  currencyCode: string | null;
  /** Of a gift card. */
  code: string | null;
  isRedeemable: boolean;
  /** What points are worth in the base currency. */
  currencyValue: Amount | null;
  /** How many points make one unit of the base currency. */
  pointsPerCurrency: number | null;
  expiresAt: Date | null;
  details: Record<string, unknown> | null;
}

/** Where and until when a provider is asked. */
export interface CreditQuestion {
  scope: CreditScope;
  /** Absolute: nobody waits longer, and nothing is sent after it. */
  deadline: Date;
}

/** Whose credit, or which card. */
export interface CreditOwner {
  customerId: number | null;
  /** Of a gift card; a secret, never logged. */
  code: string | null;
}

/** Credit to be given. The same key again is the same gift, whatever else the repeat says. */
export interface CreditGift extends CreditOwner {
  key: string;
  orderId: number;
  websiteId: number;
  /** In the base currency. */
  baseAmount: Amount;
  baseCurrencyCode: string;
  /** How many points it was, where points come back; null: by their worth today. */
  points: number | null;
  reason: string;
  /** What came back of an order was `spent` on it before; else it is `new` money on the balance. */
  origin: 'spent' | 'new';
  /** Whose token asked for it; absent where the shop itself acts, as when the sweep asks again. */
  actor?: WalletActor;
}

/** What became of a gift. Only `refused` is a no: a provider that did not say may have given. */
export type CreditGiftFinding =
  | { outcome: 'credited'; transactionId: string; remainingBalance: Amount | null }
  | { outcome: 'refused'; message: string }
  | { outcome: 'unknown'; message: string };

/** Credit to be taken for an order. The same key again is the same spending, whatever else the repeat says. */
export interface OutsideSpending extends CreditOwner {
  key: string;
  websiteId: number;
  /** In the base currency. */
  baseAmount: Amount;
  baseCurrencyCode: string;
  /** How many points, where points are spent. */
  points: number | null;
  reason: string;
}

/** What became of a spending. Only `refused` is a no, for ever: a provider that did not say may have taken it. */
export type CreditSpendFinding =
  | { outcome: 'spent'; transactionId: string; remainingBalance: Amount | null }
  | { outcome: 'refused'; message: string }
  | { outcome: 'unknown'; message: string };

/** Whether a spending is undone. Whatever is not `undone` is asked again. */
export type CreditUndoFinding = { outcome: 'undone' } | { outcome: 'refused' | 'unknown'; message: string };

/**
 * How credit kept outside our database is spent on an order. Neither should throw: what it does not know it calls
 * `unknown`, and is asked again with the same key.
 */
export interface SpendsOutside {
  /** Takes credit from a balance, once per key. After `undo` with the key it takes nothing and refuses. */
  spend(spending: OutsideSpending, question: CreditQuestion): Promise<CreditSpendFinding>;
  /**
   * No order came: gives back what was taken under the key, once, and takes nothing under it any more, also where the
   * spending itself arrives only later, or never.
   */
  undo(spending: OutsideSpending, question: CreditQuestion): Promise<CreditUndoFinding>;
}

/** Points of one order as their provider has them (spec 4.6 points-earned). */
export interface PointsOfOrder {
  /** `earned`: the provider is done with the order; `pending`: it has not come to it; `none`: it never will. */
  status: 'earned' | 'pending' | 'none';
  earned: number;
  voided: number;
  balanceAfter: number | null;
  currencyValue: Amount | null;
  granularity: number | null;
  reason: string | null;
}

/**
 * Who keeps credit for customers (spec 4.6): a wallet, gift cards, points, ours or somebody else's.
 *
 * Reads may throw: whoever asks skips the provider, or says that it failed. `give` should not: what it does not know it
 * calls `unknown`, and it is asked again with the same key. Every call ends by the deadline. What a provider says is
 * checked before it is believed: another currency than asked for, or garbage, is no answer.
 */
export interface CreditProvider {
  readonly code: string;
  readonly kind: CreditKind;
  readonly label: string;
  /** Whether the merchant has it switched on. */
  isEnabled(settings: ShopSettings): boolean;
  /** Whether refunds come here unless somebody says otherwise (spec 2.1). Asked of store credit only. */
  takesRefunds(settings: ShopSettings): boolean;
  /** What a customer has; none for credit that belongs to no customer. */
  balances(question: CreditQuestion & { customerId: number }): Promise<CreditBalance[]>;
  /** The card with this code; undefined where it knows of none, or keeps no cards. */
  findCard(question: CreditQuestion & { code: string }): Promise<CreditBalance | undefined>;
  /** What a cart may spend of, on which terms; undefined where the owner has none here. Never moves anything. */
  spendable(question: CreditQuestion & CreditOwner): Promise<SpendableCredit | undefined>;
  /** Puts credit on a balance, once per key. */
  give(gift: CreditGift, question: CreditQuestion): Promise<CreditGiftFinding>;
  /** Absent: it is kept in our own database and spent in the order's transaction, or is not spent on orders at all. */
  readonly outside?: SpendsOutside;
  /** What an order earned; undefined for what earns nothing. */
  pointsOfOrder(question: CreditQuestion & { orderId: number }): Promise<PointsOfOrder | undefined>;
}
