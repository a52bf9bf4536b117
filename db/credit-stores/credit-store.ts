import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import type { Amount } from '../../domain/money/amount.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';

/** Credit to be taken from a store, or given back to it. */
export interface CreditMovement {
  /** One movement per key and direction, whatever a repeat asks for. At most 128 characters. */
  key: string;
  orderId: number;
  /** Whose credit it is; null for a gift card in a guest's hand. */
  customerId: number | null;
  websiteId: number;
  /** Of a gift card; a secret, never logged. */
  code: string | null;
  /** What a balance of money is moved by. */
  baseAmount: Amount;
  /** The same in the order's currency, to be told. */
  amount: Amount;
  /** What a balance of points is moved by; null where the credit was not spent in points. */
  points: number | null;
  /** Of `baseAmount`: the order's base currency. */
  currencyCode: string;
  /** For the store's own history. */
  reason: string;
  /** Whose token asked for it; absent where the shop itself acts. Kept by the wallet. */
  actor?: WalletActor;
}

export interface CreditMoved {
  /** Null where the store counts no money, or does not say. */
  balanceAfter: Amount | null;
  transactionId: string;
}

/**
 * A store of credit in our own database: moved inside the caller's transaction, under a lock of its own row.
 *
 * Idempotent by key. A refusal is a `PosError` with 400 and a sentence for the cashier; whatever was written before it is
 * rolled back with the caller's transaction. Nothing outside the database is called.
 */
export interface CreditStore {
  kind: CreditKind;
  providerCode: string;
  /** Refused with 400: not enough, an unknown or lapsed card, nobody to take it from. */
  spend(em: EntityManager, movement: CreditMovement): Promise<CreditMoved>;
  giveBack(em: EntityManager, movement: CreditMovement): Promise<CreditMoved>;
}
