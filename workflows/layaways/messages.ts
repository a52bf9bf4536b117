import type { FollowedLayaway } from '../../domain/layaways.ts';
import type { Amount } from '../../domain/money.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { WalletActor } from '../../domain/store-credit.ts';
import type { Command } from '../../domain/command.ts';
import { defineQuery, defineSignal, defineUpdate } from '../support/definitions.ts';

export interface LayawayInput {
  orderId: number;
}

/** A payment of a layaway, in the order's currency. */
export interface CaptureRequest extends Command {
  amount: Amount;
  paymentMethod: string;
  reference: string | null;
}

export interface CancelRequest extends Command {
  /** In 1/10 000 of a percent. */
  feePercent: number;
  /** A person's comment, sealed. */
  sealedReason: string | null;
  /** The owner of the token: the wallet's history names it. */
  actor: WalletActor;
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
