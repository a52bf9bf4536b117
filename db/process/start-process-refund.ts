import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { plainSettlement } from '../../domain/refunds/quote-refund.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { intentWithoutReturn } from '../refunds/intent-without-return.ts';
import {
  asOpen,
  openRefundAttempt,
  type OpenAttempt,
  type RefundWithoutReturn,
} from '../refunds/open-refund-attempt.ts';
import { lockRefundAttempt } from '../refunds/refund-attempt.repository.ts';
import { refuseUnlessSettleable } from '../returns/book-settlement.ts';
import type { LockedReturn } from '../returns/lock-return.ts';
import { linesOfProcess, withProcess, type LockedProcess } from './lock-process.ts';
import { refuseProcess } from './refuse-process.ts';
import { endedMeanwhile } from './settle-process.ts';

export interface ProcessRefund {
  processId: number;
  canRefundThrough: (paymentMethod: string) => boolean;
}

export interface StartedRefund {
  attempt?: OpenAttempt & { isUncertain: boolean };
  /** No money goes back, because the whole refund is credit or comes to zero: no gateway is called. */
  isCreditOnly?: true;
}

/**
 * Writes down the refund of a collapsed return before the original gateway is called.
 *
 * Safe to repeat: the existing attempt is answered. A collapsed return that has ended needs no attempt. A refusal ends
 * it.
 *
 * Refused with: 400 no gateway, nothing left · 409 `gateway_uncertain` while another refund of the order is undecided.
 */
export async function startProcessRefund(
  em: EntityManager,
  { processId, canRefundThrough }: ProcessRefund,
): Promise<StartedRefund> {
  try {
    return await withProcess(em, processId, async (tx, locked) => {
      const { order, process } = locked;
      if (process.state !== 'open') return {};
      const subject = await refundedBy(tx, locked);
      if (process.refundAttemptId !== null) {
        const known = await lockRefundAttempt(tx, process.refundAttemptId);
        return { attempt: { ...asOpen(known, subject), isUncertain: known.state === 'uncertain' } };
      }
      const attempt = await openRefundAttempt(tx, { order, rma: subject, canRefundThrough, options: plainSettlement });
      if (!attempt) return { isCreditOnly: true as const };
      process.refundAttemptId = attempt.attemptId;
      return { attempt: { ...attempt, isUncertain: false } };
    });
  } catch (error) {
    if (error instanceof PosError) await refuseProcess(em, { processId, state: 'refused', refusal: error.refusal });
    throw error;
  }
}

async function refundedBy(
  em: EntityManager,
  { process, rma }: LockedProcess,
): Promise<LockedReturn | RefundWithoutReturn> {
  if (!rma) {
    const items = (await linesOfProcess(em, process)).map(({ orderItemId, qty }) => ({ orderItemId, qty }));
    return { returnId: null, intent: await intentWithoutReturn(em, { orderId: process.orderId, items }), items };
  }
  if (process.refundAttemptId !== null) return rma;
  if (isTerminal(rma.status)) throw endedMeanwhile(rma.incrementId, rma.status);
  refuseUnlessSettleable(rma);
  rma.status = 'awaiting_refund';
  rma.refundMethod = 'original_payment';
  return rma;
}
