import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import type { Amount } from '../../domain/money/amount.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';

/** Credit to be taken from a store, or given back to it. */
export interface CreditMovement {
  /** One movement per key and direction, whatever a repeat contains. At most 128 characters. */
  key: string;
  orderId: number;
  /** The owner; null for a gift card of a guest. */
  customerId: number | null;
  websiteId: number;
  /** Only for a gift card; a secret, never logged. */
  code: string | null;
  /** The movement of a money balance. */
  baseAmount: Amount;
  /** The same in the order's currency, for messages. */
  amount: Amount;
  /** The movement of a points balance; null where the credit was not spent in points. */
  points: number | null;
  /** Of `baseAmount`: the order's base currency. */
  currencyCode: string;
  /** For the store's own history. */
  reason: string;
  /** The owner of the token; absent where the shop itself acts. The wallet stores it. */
  actor?: WalletActor;
}

export interface CreditMoved {
  /** Null where the store counts no money, or does not return it. */
  balanceAfter: Amount | null;
  transactionId: string;
}

/**
 * A store of credit in our own database: moved inside the caller's transaction, under a lock of its own row.
 *
 * Idempotent by key. A refusal is a `PosError` with 400 and a sentence for the cashier; the caller's transaction then
 * rolls back. Nothing outside the database is called.
 */
export interface CreditStore {
  kind: CreditKind;
  providerCode: string;
  /** Refused with 400: too low a balance, an unknown or expired card, no owner. */
  spend(em: EntityManager, movement: CreditMovement): Promise<CreditMoved>;
  giveBack(em: EntityManager, movement: CreditMovement): Promise<CreditMoved>;
}
