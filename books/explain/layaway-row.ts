import type { LayawayStatus } from '../../domain/layaways/layaway-status.ts';

/** The state of a layaway, and its cancellation. Money as decimal text. */
export interface LayawayRow {
  status: LayawayStatus;
  balanceOwed: string;
  depositAmount: string | null;
  depositMethod: string | null;
  expiresAt: string | null;
  followedAt: string | null;
  cancellation: {
    feePercent: string;
    fee: string;
    refund: string;
    refundMethod: string | null;
    reason: string | null;
    creditMemoId: number | null;
    at: string;
  } | null;
}
