import type { Command } from '../../domain/command.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type {
  CollapseRequest,
  CreateRequest,
  NotedRequest,
  ProcessRequest,
  ReceiveRequest,
  ResolveRequest,
  SetStatusRequest,
  SettleRequest,
} from '../../domain/returns/return-requests.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { defineQuery, defineSignal, defineUpdate } from '../support/definitions.ts';

/**
 * What a return's workflow starts with. With `begin` it creates the return; without, the return is there. A run that
 * starts without its message does its work all the same.
 */
export interface ReturnInput {
  rmaId: number;
  begin?: Beginning | undefined;
}

/** How a return comes to be. */
export type Beginning = { verb: 'create'; create: CreateRequest } | { verb: 'collapse'; collapse: CollapseRequest };

export interface ReturnAnswer {
  status: ReturnStatus;
  /** The sale has another return already: that one counts. */
  reusedId?: number;
  /** A mail to the customer that waits to be sent. */
  mailId?: number;
  /** The collapsed return that ended it. */
  processId?: number;
}

export const createUpdate = defineUpdate<Outcome<ReturnAnswer>, [Command]>('create');
export const settleUpdate = defineUpdate<Outcome<ReturnAnswer>, [SettleRequest]>('settle');
export const setStatusUpdate = defineUpdate<Outcome<ReturnAnswer>, [SetStatusRequest]>('status');
export const receiveUpdate = defineUpdate<Outcome<ReturnAnswer>, [ReceiveRequest]>('receive');
export const resolveUpdate = defineUpdate<Outcome<ReturnAnswer>, [ResolveRequest]>('resolve');
export const cancelRefundUpdate = defineUpdate<Outcome<ReturnAnswer>, [NotedRequest]>('cancel-refund');
export const closeUpdate = defineUpdate<Outcome<ReturnAnswer>, [NotedRequest]>('close');
export const processUpdate = defineUpdate<Outcome<ReturnAnswer>, [ProcessRequest]>('process');
/** From the sweep and from operators: read the rows again and continue from their state. */
export const refreshSignal = defineSignal('refresh');
/** For the Temporal UI; programs read the row. */
export interface ReturnView {
  status: string;
  attemptId: number | null;
  lastRefusal: string | null;
  lastAskedBy: string | null;
}

export const stateQuery = defineQuery<ReturnView>('state');
