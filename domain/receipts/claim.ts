/** The facts that decide a claim, read under the order's lock. */
export interface ClaimFacts {
  /** The customer who claims. */
  customerId: number;
  /** The customer who has the receipt already; null: none. */
  claimedBy: number | null;
  /** The customer of the order; null: a guest. */
  orderCustomerId: number | null;
}

export type ClaimDecision = 'claim' | 'yours' | 'taken';

/**
 * Who may claim a receipt into an account (spec 4.9): the first customer who asks, unless the order belongs to
 * another. One order has one customer, so its other receipts can only follow the first (our choice).
 */
export function decideClaim({ customerId, claimedBy, orderCustomerId }: ClaimFacts): ClaimDecision {
  if (claimedBy === customerId) return 'yours';
  if (claimedBy !== null || (orderCustomerId ?? customerId) !== customerId) return 'taken';
  return 'claim';
}
