import type { Outcome } from '../../domain/outcome.ts';
import type { RefundLeg, SettlementOptions } from '../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { defineQuery, defineSignal, defineUpdate } from '../support/definitions.ts';

export interface ReturnInput {
  rmaId: number;
}

/** A settle as it travels: what a terminal printed stays in the database, under the id of the request. */
export interface SettleRequest {
  method: SettleMethod;
  options: SettlementOptions;
  reference?: string;
  expectedLegs?: RefundLeg[];
  requestId: string;
}

export interface ReturnAnswer {
  status: ReturnStatus;
}

export const awaitReadyUpdate = defineUpdate<Outcome<ReturnAnswer>, [null]>('awaitReady');
export const settleUpdate = defineUpdate<Outcome<ReturnAnswer>, [SettleRequest]>('settle');
/** From the attempt's workflow: the matter is decided. */
export const refundConcludedSignal = defineSignal('refundConcluded');
/** From the sweep and from operators: read the rows again, and go on where they stand. */
export const refreshSignal = defineSignal('refresh');
/** For the Temporal UI; programs read the row. */
export interface ReturnView {
  status: string;
  attemptId: number | null;
  attemptState: string | null;
  lastRefusal: string | null;
}

export const stateQuery = defineQuery<ReturnView>('state');

export const returnId = (rmaId: number) => `return-${rmaId}`;
