import type { CreditAnswer, SealedCreditRefund } from '../../activities/credits/credit-refund-activities.ts';
import type { Command } from '../../domain/command.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { defineUpdate } from '../support/definitions.ts';

/** The run of a refund to credit at a provider outside, for one request and its repeats. */
export const creditRefundId = (orderId: number, requestKey: string) => `credit-refund-${orderId}-${requestKey}`;

/** The wish of a route. */
export interface AskedCreditRefund {
  command: Command;
  wish: Omit<SealedCreditRefund, 'orderId' | 'requestKey' | 'beginBefore'>;
}

export interface CreditRefundInput {
  orderId: number;
  requestKey: string;
  asked?: AskedCreditRefund;
  /** In a run that takes up what another left: reserved already. */
  refundId?: number;
  /** How often the provider was asked in earlier runs. */
  tries?: number;
}

/** Has the provider asked now, and waits for what it says. Whoever asked reads the row then. */
export const giveUpdate = defineUpdate<Outcome<{ answer: CreditAnswer }>, [Command]>('give');
