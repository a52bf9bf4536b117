import type { ReturnRecord } from '../../db/returns/return.repository.ts';
import type { RefundAttemptState } from '../../domain/refunds/refund-attempt-state.ts';
import { refundAttemptStates } from '../../domain/refunds/refund-attempt-state.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';

/** A return in its workflow's memory: numbers and status words, no personal data. */
export interface ReturnSnapshot {
  returnId: number;
  incrementId: string;
  orderId: number;
  orderIncrementId: string;
  status: ReturnStatus;
  isReady: boolean;
  refundMethod: string | null;
  attemptId: number | null;
  attemptState: RefundAttemptState | null;
}

export const snapshotOf = (record: ReturnRecord): ReturnSnapshot => ({
  returnId: record.returnId,
  incrementId: record.incrementId,
  orderId: record.orderId,
  orderIncrementId: record.orderIncrementId,
  status: record.status,
  isReady: record.isReady,
  refundMethod: record.refundMethod,
  attemptId: record.attemptId,
  attemptState: refundAttemptStates.find((state) => state === record.attemptState) ?? null,
});
