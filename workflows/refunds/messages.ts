import type { SealedDocumentRefund } from '../../activities/refunds.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { RefundAttemptState, RefundResolution, SecondLookAnswer } from '../../domain/refunds/refund-finding.ts';
import type { Command } from '../../domain/command.ts';
import { defineQuery, defineSignal, defineUpdate } from '../support/definitions.ts';

export interface RefundAttemptInput {
  attemptId: number;
  /** Absent in the first run. */
  before?: RefundAttemptProgress;
}

/** What one run of a refund attempt hands to the next. */
export interface RefundAttemptProgress {
  /** How often the gateway was asked again. */
  tries: number;
  /** Until a decision that is too early can be applied; 0: none is pending. */
  waitSeconds: number;
  resolution?: RefundResolution;
  /** A person's decision that could not be read, as it was sent. */
  unread?: string;
}

export const reconcileUpdate = defineUpdate<RefundAttemptState, [null]>('reconcile');
export const resolveUpdate = defineUpdate<RefundAttemptState, [RefundResolution]>('resolve');
/** To a second look at a refund that a person decided as not refunded. */
export const secondLookUpdate = defineUpdate<SecondLookAnswer, [null]>('look');
export const secondLookId = (attemptId: number) => `second-look-${attemptId}`;
export const resolveSignal = defineSignal<[RefundResolution]>('resolve');
/** To the return that waits for its refund: the refund is decided. */
export const refundConcludedSignal = defineSignal('refundConcluded');
export const stateQuery = defineQuery<RefundAttemptState>('state');

/** The run of a refund of an invoice through its gateway, for one request and its repeats. */
export const documentRefundId = (orderId: number, operationKey: string) => `document-refund-${orderId}-${operationKey}`;

/** The wish of a route. Absent in a run that takes up what another left: its attempt is written down already. */
export interface RequestedDocumentRefund {
  command: Command;
  wish: Omit<SealedDocumentRefund, 'orderId' | 'operationKey' | 'beginBefore'>;
}

export interface DocumentRefundInput {
  orderId: number;
  operationKey: string;
  asked?: RequestedDocumentRefund;
}

/** Waits until the refund is booked, refused, or in doubt. Whoever asked reads the row then. */
export const refundUpdate = defineUpdate<Outcome<{ state: RefundAttemptState }>, [Command]>('refund');
