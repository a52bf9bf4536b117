import type { Refusal } from '../../domain/errors.ts';
import type { ProcessStage, ProcessState } from '../../domain/returns/collapsed-return.ts';

/** A collapsed return as it is written down. */
export interface ProcessRow {
  processId: number;
  orderId: number;
  requestKey: string;
  returnId: number | null;
  attemptId: number | null;
  isFastTrack: boolean;
  resolution: string;
  isOnline: boolean;
  state: ProcessState;
  stage: ProcessStage;
  providerCode: string | null;
  storeCredit: string;
  exchangeCredit: string;
  refusal: Refusal | null;
  author: string | null;
  at: string;
  updatedAt: string;
}
