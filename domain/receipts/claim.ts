/** What decides a claim, as it is under the order's lock. */
export interface ClaimFacts {
  /** Who asks. */
  customerId: number;
  /** Whose the receipt is already; null: nobody's. */
  claimedBy: number | null;
  /** Whose the order is already; null: a guest's. */
  orderCustomerId: number | null;
}

export type ClaimDecision = 'claim' | 'yours' | 'taken';

/**
 * Who may take a receipt into an account (spec 4.9): whoever comes first, unless its order is somebody else's. One order
 * has one customer, so the other receipts of an order can only follow the first (our choice).
 */
export function decideClaim({ customerId, claimedBy, orderCustomerId }: ClaimFacts): ClaimDecision {
  if (claimedBy === customerId) return 'yours';
  if (claimedBy !== null || (orderCustomerId ?? customerId) !== customerId) return 'taken';
  return 'claim';
}
