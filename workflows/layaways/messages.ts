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
  /** The key of the request: sending the same request again books nothing. */
  operationKey: string;
}

/** A person's comment stays in the database; the message carries only its id. */
export interface CancelRequest {
  /** In 1/10 000 of a percent. */
  feePercent: number;
  noteId: number | null;
  operationKey: string;
  /** The owner of the token; absent in older histories. */
  actor?: WalletActor;
}

export const captureUpdate = defineUpdate<Outcome<FollowedLayaway>, [CaptureRequest]>('capture');
export const cancelUpdate = defineUpdate<Outcome<FollowedLayaway>, [CancelRequest]>('cancel');
/** From routes, the sweep and operators: read the row again and continue from its state. */
export const refreshSignal = defineSignal('refresh');

/** For the Temporal UI; programs read the row. */
export interface LayawayView {
  status: string;
  expiresAt: string | null;
  lastRefusal: string | null;
}

export const stateQuery = defineQuery<LayawayView>('state');

export const layawayId = (orderId: number) => `layaway-${orderId}`;
