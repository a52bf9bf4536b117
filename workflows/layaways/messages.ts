import type { FollowedLayaway } from '../../domain/layaways/followed-layaway.ts';
import type { Amount } from '../../domain/money/amount.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { WalletActor } from '../../domain/store-credit/ledger.ts';
import { defineQuery, defineSignal, defineUpdate } from '../support/definitions.ts';

export interface LayawayInput {
  orderId: number;
}

/** A payment of a layaway, in the order's currency. */
export interface CaptureRequest {
  amount: Amount;
  paymentMethod: string;
  reference: string | null;
  /** Of the request: the same one, sent again, books nothing. */
  operationKey: string;
}

/** What a person wrote beside it stays in the database, under its id. */
export interface CancelRequest {
  /** In 1/10 000 of a percent. */
  feePercent: number;
  noteId: number | null;
  operationKey: string;
  /** Whose token asked; absent in histories of before. */
  actor?: WalletActor;
}

export const captureUpdate = defineUpdate<Outcome<FollowedLayaway>, [CaptureRequest]>('capture');
export const cancelUpdate = defineUpdate<Outcome<FollowedLayaway>, [CancelRequest]>('cancel');
/** From the routes, the sweep and operators: read the row again, and go on where it stands. */
export const refreshSignal = defineSignal('refresh');

/** For the Temporal UI; programs read the row. */
export interface LayawayView {
  status: string;
  expiresAt: string | null;
  lastRefusal: string | null;
}

export const stateQuery = defineQuery<LayawayView>('state');

export const layawayId = (orderId: number) => `layaway-${orderId}`;
