import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, PosError } from '../../domain/errors.ts';
import { memoRequest, plainSettlement } from '../../domain/refunds/quote-refund.ts';
import { isTerminal, methodOfProcess } from '../../domain/returns/return-status.ts';
import { bookMemoWithCredits } from '../credits/give-credits-back.ts';
import { intentWithoutReturn } from '../refunds/document-refunds.ts';
import { asOpen, openRefundAttempt, type OpenAttempt, type RefundWithoutReturn } from '../refunds/refund-intent.ts';
import { lockRefundAttempt } from '../refunds/refund-attempt.repository.ts';
import { explainUsedUp } from '../refunds/refundable-money.ts';
import type { LockedReturn } from '../returns/lock-return.ts';
import { refuseUnlessSettleable, settleLocked } from '../returns/settle-return.ts';
import { finishProcess, linesOfProcess, refuseProcess, withProcess, type LockedProcess } from './process-steps.ts';
import { readMemoOfRun, type MemoOfRun } from './read-memo-of-run.ts';

/**
 * Books the offline memo of a collapsed return, settles its return where it has one, and gives the promised store
 * credit. All in one transaction (spec 4.8).
 *
 * Safe to repeat: one that has ended is unchanged. A refusal ends it, and the histories give the reason.
 *
 * Refused with: 400 the refusals of a settle · 409 `gateway_uncertain`.
 */
export async function settleProcess(em: EntityManager, processId: number): Promise<void> {
  try {
    await withProcess(em, processId, async (tx, locked) => {
      const { rma } = locked;
      if (locked.process.state !== 'open') return;
      const memo = rma ? await settleReturn(tx, locked, rma) : await bookAlone(tx, locked);
      await finishProcess(tx, { ...locked, memo });
      // It is its return's own workflow that asks for this, and ends with it.
      if (rma && isTerminal(rma.status)) rma.followedAt = null;
    });
  } catch (error) {
    if (error instanceof PosError) await refuseProcess(em, { processId, state: 'refused', refusal: error.refusal });
    throw error;
  }
}

async function settleReturn(
  em: EntityManager,
  { order, process }: LockedProcess,
  rma: LockedReturn,
): Promise<MemoOfRun> {
  if (isTerminal(rma.status)) throw endedMeanwhile(rma.incrementId, rma.status);
  await settleLocked(em, {
    order,
    rma,
    settlement: {
      returnId: rma.returnId,
      method: methodOfProcess(process),
      options: plainSettlement,
    },
  });
  return readMemoOfRun(em, rma.creditMemoId);
}

const endedMeanwhile = (incrementId: string, status: string) =>
  invalid('Return %1 is %2: somebody else ended it meanwhile.', [incrementId, status]);

async function bookAlone(em: EntityManager, { order, process }: LockedProcess): Promise<MemoOfRun> {
  const items = (await linesOfProcess(em, process)).map(({ orderItemId, qty }) => ({ orderItemId, qty }));
  try {
    const { memo } = await bookMemoWithCredits(em, {
      order,
      request: memoRequest(items, plainSettlement, order),
      isOnline: false,
      // Goods move last, at the end of the collapsed return.
      movesStock: false,
    });
    return memo;
  } catch (error) {
    throw await explainUsedUp(em, error, { order, returnId: null, items });
  }
}

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
