import type { Quantity } from '../../domain/money/quantity.ts';
import type { VendorVerdict } from '../../domain/returns/eligibility.ts';
import type { ReturnOptions } from '../../domain/returns/return-options.ts';

/** A line of a sale a provider is asked about. */
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

/** A return a provider is to take on. */
export interface ReturnToTakeOn {
  /** Of the wish: the same key again is the same return. */
  requestKey: string;
  orderIncrementId: string;
  storeId: number;
  lines: readonly ReturnedLine[];
  /** A return that is there already: whose it is, and what its provider calls it. */
  existing?: { providerCode: string; reference: string | null };
}

export interface TakenOn {
  /** What the provider calls the return; null where our own row is all there is. */
  reference: string | null;
  /** False: the goods go where the provider says, and none of them on our shelves. */
  isRestockedHere: boolean;
}

/**
 * Who runs returns (spec 4.8): decides about goods and keeps its own record of them. Money is always ours, and so is the
 * row of the return.
 *
 * Every method is called without a lock or a transaction, ends by a deadline of its own, and may be called again.
 */
export interface ReturnsProvider {
  readonly code: string;
  readonly label: string;
  /** Reasons, conditions and resolutions of a store view. Throws when they cannot be told. */
  options(storeId: number): Promise<ReturnOptions>;
  /** What the vendor says no to beyond quantity, catalog and period. Throws when that cannot be told. */
  vendorRule(sale: SaleInQuestion): Promise<VendorVerdict>;
  /**
   * Takes a return on; with the same key again it answers the same.
   *
   * Throws `NotAttempted` before it wrote anything, and only then: the next provider is asked. A `PosError` is a definite
   * no. Anything else means that nobody knows what it wrote.
   */
  takeOn(request: ReturnToTakeOn): Promise<TakenOn>;
}

/** Thrown by a provider that has not written anything: the one thing that lets a return go on to the next. */
export class NotAttempted extends Error {
  override name = 'NotAttempted';
}

/** The returns providers of this installation. */
export interface ReturnsProviders {
  /** All there are, in order, enabled or not. */
  readonly all: readonly ReturnsProvider[];
  /** Those a store works with, in order; none: there is no returns module. */
  inOrder(storeId: number): Promise<readonly ReturnsProvider[]>;
  byCode(code: string): ReturnsProvider | undefined;
}
