import type { Quantity } from '../../domain/money/quantity.ts';
import type { VendorVerdict } from '../../domain/returns/eligibility.ts';
import type { ReturnOptions } from '../../domain/returns/return-options.ts';

/** A line of a sale in a question to a provider. */
export interface LineInQuestion {
  orderItemId: number;
  sku: string;
  qty: Quantity;
}

export interface SaleInQuestion {
  orderIncrementId: string;
  storeId: number;
  lines: readonly LineInQuestion[];
}

export interface ReturnedLine extends LineInQuestion {
  reason: string | null;
  condition: string | null;
  resolution: string | null;
}

/** A return that a provider is asked to take on. */
export interface ReturnToTakeOn {
  /** The key of the request: a repeat with the same key is the same return. */
  requestKey: string;
  orderIncrementId: string;
  storeId: number;
  lines: readonly ReturnedLine[];
  /** An existing return: its provider, and the provider's reference. */
  existing?: { providerCode: string; reference: string | null };
}

export interface TakenOn {
  /** The provider's reference of the return; null where only our own row exists. */
  reference: string | null;
  /** False: the provider keeps the goods, and our stock does not change. */
  isRestockedHere: boolean;
}

/**
 * Runs returns (spec 4.8): decides about goods and keeps its own record of them. The money and the return's row are
 * always ours.
 *
 * Every method is called without a lock or a transaction, ends by its own deadline, and may be called again.
 */
export interface ReturnsProvider {
  readonly code: string;
  readonly label: string;
  /** Reasons, conditions and resolutions of a store view. Throws when it cannot answer. */
  options(storeId: number): Promise<ReturnOptions>;
  /** The vendor's refusals beyond quantity, catalog and period. Throws when it cannot answer. */
  vendorRule(sale: SaleInQuestion): Promise<VendorVerdict>;
  /**
   * Takes a return on; a repeat with the same key gives the same answer.
   *
   * Throws `NotAttempted` only when it wrote nothing: then the next provider is asked. A `PosError` is a definite no.
   * After any other error it is unknown what it wrote.
   */
  takeOn(request: ReturnToTakeOn): Promise<TakenOn>;
}

/** Thrown by a provider that wrote nothing: only this error passes the return to the next provider. */
export class NotAttempted extends Error {
  override name = 'NotAttempted';
}

/** The returns providers of this installation. */
export interface ReturnsProviders {
  /** All of them, in order, enabled or not. */
  readonly all: readonly ReturnsProvider[];
  /** The providers of a store, in order; empty: the store has no returns module. */
  inOrder(storeId: number): Promise<readonly ReturnsProvider[]>;
  byCode(code: string): ReturnsProvider | undefined;
}
