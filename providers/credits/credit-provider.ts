import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditScope } from '../../db/credit-stores/read-credit-scope.ts';
import { transact } from '../../db/support/transact.ts';
import type { ShopSettings } from '../../domain/configuration/setting-defaults.ts';
import type { CreditKind, SpendableCredit } from '../../domain/credits/applied-credit.ts';
import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import type { Amount } from '../../domain/money.ts';
import type { WalletActor } from '../../domain/store-credit.ts';

/** A balance at one provider, as registers get it (spec 2.10). Money or points, never both. */
export interface CreditBalance {
  kind: CreditKind;
  providerCode: string;
  label: string;
  /** In `currencyCode`; null for points. */
  money: Amount | null;
  points: number | null;
  currencyCode: string | null;
  /** Only for a gift card. */
  code: string | null;
  isRedeemable: boolean;
  /** The value of the points in the base currency. */
  currencyValue: Amount | null;
  /** How many points make one unit of the base currency. */
  pointsPerCurrency: number | null;
  expiresAt: Date | null;
  details: Record<string, unknown> | null;
}

/** The store and the deadline of a question to a provider. */
export interface CreditQuestion {
  scope: CreditScope;
  /** Absolute: after it the answer is not awaited, and nothing is sent. */
  deadline: Date;
}

/** The customer or the gift card that the credit belongs to. */
export interface CreditOwner {
  customerId: number | null;
  /** Only for a gift card; a secret, never logged. */
  code: string | null;
}

/** Credit to be given. Under the same key it is given once, whatever else the repeat contains. */
export interface CreditGift extends CreditOwner {
  key: string;
  orderId: number;
  websiteId: number;
  /** In the base currency. */
  baseAmount: Amount;
  baseCurrencyCode: string;
  /** The number of points, where points come back; null: computed from their present value. */
  points: number | null;
  reason: string;
  /** `spent`: it had paid an order before. `new`: new money on the balance. */
  origin: 'spent' | 'new';
  /** The owner of the token; absent where the shop itself acts, as when the sweep asks again. */
  actor?: WalletActor;
}

/** A gift that was given. */
export interface IssuedCredit {
  transactionId: string;
  remainingBalance: Amount | null;
}

/** The outcome of a gift. Only `refused` means no: with `unknown` the provider may have given it. */
export type CreditGiftFinding =
  | ({ outcome: 'credited' } & IssuedCredit)
  | { outcome: 'refused'; message: string }
  | { outcome: 'unknown'; message: string };

/** Credit to be taken for an order. Under the same key it is taken once, whatever else the repeat contains. */
export interface OutsideSpending extends CreditOwner {
  key: string;
  websiteId: number;
  /** In the base currency. */
  baseAmount: Amount;
  baseCurrencyCode: string;
  /** The number of points, where points are spent. */
  points: number | null;
  reason: string;
}

/** The outcome of a spending. Only `refused` means no, for ever: with `unknown` the provider may have taken it. */
export type CreditSpendFinding =
  | { outcome: 'spent'; transactionId: string; remainingBalance: Amount | null }
  | { outcome: 'refused'; message: string }
  | { outcome: 'unknown'; message: string };

/** Whether a spending is undone. Any answer but `undone` is asked again. */
export type CreditUndoFinding = { outcome: 'undone' } | { outcome: 'refused' | 'unknown'; message: string };

/**
 * Spends credit kept outside our database. Neither method should throw: an unclear answer is `unknown`, and is asked
 * again with the same key.
 */
export interface SpendsOutside {
  /** Takes credit from a balance, once per key. After `undo` with the same key it refuses. */
  spend(spending: OutsideSpending, question: CreditQuestion): Promise<CreditSpendFinding>;
  /**
   * The order was not saved: gives back once what was taken under the key. From then on nothing is taken under it,
   * even where the spending arrives later or never.
   */
  undo(spending: OutsideSpending, question: CreditQuestion): Promise<CreditUndoFinding>;
}

/** The points of one order at their provider (spec 4.6 points-earned). */
export interface PointsOfOrder {
  /** `earned`: the provider has finished the order. `pending`: it has not yet. `none`: the order earns nothing. */
  status: 'earned' | 'pending' | 'none';
  earned: number;
  /** With what is owed. */
  voided: number;
  /** Of these, what the customer had spent: it is taken from later points. Absent: none. */
  owed?: number;
  balanceAfter: number | null;
  currencyValue: Amount | null;
  granularity: number | null;
  reason: string | null;
}

/**
 * Keeps credit for customers (spec 4.6): a wallet, gift cards or points, ours or an outside service's.
 *
 * Reads may throw: the caller then skips the provider or reports its failure. `give` should not throw: an unclear
 * answer is `unknown`, and is asked again with the same key. Every call ends by the deadline. A provider's answer is
 * checked: another currency or garbage does not count as an answer.
 */
export interface CreditProvider {
  readonly code: string;
  readonly kind: CreditKind;
  readonly label: string;
  /** Whether the merchant enabled it. */
  isEnabled(settings: ShopSettings): boolean;
  /** Whether refunds go to this credit by default (spec 2.1). Only for store credit. */
  takesRefunds(settings: ShopSettings): boolean;
  /** The balances of a customer; empty for credit that belongs to no customer. */
  balances(question: CreditQuestion & { customerId: number }): Promise<CreditBalance[]>;
  /** The card with this code; undefined where the provider does not know it, or keeps no cards. */
  findCard(question: CreditQuestion & { code: string }): Promise<CreditBalance | undefined>;
  /** The credit that a cart may spend, and its terms; undefined where the owner has none here. Never moves credit. */
  spendable(question: CreditQuestion & CreditOwner): Promise<SpendableCredit | undefined>;
  /** Adds credit to a balance, once per key. */
  give(gift: CreditGift, question: CreditQuestion): Promise<CreditGiftFinding>;
  /**
   * Present where the credit is kept in our own database: the same in the caller's transaction, without any call to
   * the outside. Refused with 400.
   */
  giveWithin?(tx: EntityManager, gift: CreditGift): Promise<IssuedCredit>;
  /** Absent: the credit is kept in our own database and spent in the order's transaction, or cannot be spent. */
  readonly outside?: SpendsOutside;
  /** The points that an order earned; undefined for credit that is never earned. */
  pointsOfOrder(question: CreditQuestion & { orderId: number }): Promise<PointsOfOrder | undefined>;
}

/** A provider whose credit is in our own database. */
export type OwnCredit = CreditProvider & Required<Pick<CreditProvider, 'giveWithin'>>;

/** A fresh entity manager for each call. */
export type Fresh = () => EntityManager;

/** How one of our own stores adds credit, within a transaction of its caller. */
type GiveWithin = OwnCredit['giveWithin'];

/**
 * Both ways in which our own stores give credit: within a transaction of the caller, and in a separate one. A refusal
 * is final, because the key was not used; when the database is away, the outcome is unknown.
 */
export const givesFrom = (em: Fresh, giveWithin: GiveWithin): Pick<CreditProvider, 'give' | 'giveWithin'> => ({
  giveWithin,
  async give(gift) {
    try {
      return { outcome: 'credited', ...(await transact(em(), (tx) => giveWithin(tx, gift))) };
    } catch (error) {
      if (error instanceof PosError) return { outcome: 'refused', message: fillIn(error.message, error.parameters) };
      throw error;
    }
  },
});

/** The SKUs that no credit pays for, from the merchant's setting. */
export const skusIn = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(',')
      .map((sku) => sku.trim())
      .filter((sku) => sku !== ''),
  );
