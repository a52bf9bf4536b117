import type { Quantity } from '../../domain/money/quantity.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { ExpectedLeg, SettlementOptions } from '../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';
import type { Inspection } from '../../domain/returns/inspection.ts';
import type { LineResolution } from '../../domain/returns/resolution.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { defineQuery, defineSignal, defineUpdate } from '../support/definitions.ts';

export interface ReturnInput {
  rmaId: number;
  /** It ends once nothing is left to be waited for, and starts again when something is asked; absent in older histories. */
  endsWhenIdle?: true;
}

/** A settle request; the terminal's output stays in the database, under the id of the request. */
export interface SettleRequest {
  method: SettleMethod;
  options: SettlementOptions;
  reference?: string;
  expectedLegs?: ExpectedLeg[];
  requestId: string;
}

/** A status set by hand. The person's comment stays in the database, under its id; so in the two messages below. */
export interface SetStatusRequest {
  status: ReturnStatus;
  noteId: number | null;
}

/** Goods received at the counter of a location; quantities in 1/10 000. */
export interface ReceiveRequest {
  locationId: number;
  lines: {
    rmaItemId: number;
    inspection: Inspection | null;
    condition: string | null;
    qtyReceived: Quantity | null;
    returnToStock: boolean | null;
  }[];
}

export interface ResolveRequest {
  resolutions: LineResolution[];
}

/** Cancel-refund and close: only the id of a person's comment. */
export interface NotedRequest {
  noteId: number | null;
}

/** What finishes a return in one call, by its row. */
export interface ProcessRequest {
  processId: number;
}

export interface ReturnAnswer {
  status: ReturnStatus;
}

export const awaitReadyUpdate = defineUpdate<Outcome<ReturnAnswer>, [null]>('awaitReady');
export const settleUpdate = defineUpdate<Outcome<ReturnAnswer>, [SettleRequest]>('settle');
export const setStatusUpdate = defineUpdate<Outcome<ReturnAnswer>, [SetStatusRequest]>('setStatus');
export const receiveUpdate = defineUpdate<Outcome<ReturnAnswer>, [ReceiveRequest]>('receive');
export const resolveUpdate = defineUpdate<Outcome<ReturnAnswer>, [ResolveRequest]>('resolve');
export const cancelRefundUpdate = defineUpdate<Outcome<ReturnAnswer>, [NotedRequest]>('cancelRefund');
export const closeUpdate = defineUpdate<Outcome<ReturnAnswer>, [NotedRequest]>('close');
export const processUpdate = defineUpdate<Outcome<ReturnAnswer>, [ProcessRequest]>('process');
/** From the sweep and from operators: read the rows again and continue from their state. */
export const refreshSignal = defineSignal('refresh');
/** For the Temporal UI; programs read the row. */
export interface ReturnView {
  status: string;
  attemptId: number | null;
  attemptState: string | null;
  lastRefusal: string | null;
}

export const stateQuery = defineQuery<ReturnView>('state');
