import type { EntityManager } from '@mikro-orm/postgresql';
import { plainSettlement } from '../../domain/refunds/quote-refund.ts';
import {
  describeResolutions,
  methodOfResolutions,
  resolutionLabels,
  type LineResolution,
  type SettleMethod,
} from '../../domain/returns/resolution.ts';
import { canSettle, isTerminal, moveByHand, type ReturnStatus } from '../../domain/returns/return-status.ts';
import type { ThroughGateway } from '../refunds/through-gateway.ts';
import { addReturnComment, changeStatus, withComment, type Noted } from './add-return-comment.ts';
import {
  changeReturn,
  type LockedReturn,
  type OperationOnReturn,
  type OrderAndReturn,
  type ReturnToChange,
} from './lock-return.ts';
import {
  asBefore,
  recordSettleRefusal,
  refuseUnlessReady,
  refuseUnlessSettleable,
  refuseWhileRefunding,
  settleLocked,
  settleThroughGateway,
  type Settling,
} from './settle-return.ts';

export interface Resolving extends ThroughGateway, OperationOnReturn {
  resolutions: readonly LineResolution[];
}

/**
 * Decides every line of a return (spec 3.2, 4.8 resolve), and refunds the lines that name a refund method.
 *
 * Our choice: those lines are settled in the same transaction, as by a settle with that method without adjustments,
 * and the return ends as resolved. `original_payment` opens the refund instead: the return is resolved when it is
 * booked, and otherwise stays parked with its resolutions. Lines that are repaired or disposed of, and lines without
 * a method, move no money and no goods.
 *
 * Safe to repeat: a final status is answered unchanged; the same request is answered by what became of its refund.
 *
 * Refused with: 404 unknown return · 400 a line without a resolution, wrong lines, two methods, the refusals of a
 * settle · 409 `return_not_ready` · 409 `gateway_uncertain`.
 */
export async function resolveReturn(em: EntityManager, request: Resolving): Promise<Settling> {
  const { returnId, resolutions, canRefundThrough } = request;
  const progress = { isDecided: false };
  const work = async (tx: EntityManager, { order, rma, done, refuseLate, opened }: ReturnToChange) => {
    if (done) return asBefore(tx, rma, done);
    if (isTerminal(rma.status)) return { status: rma.status };
    const method = methodOfResolutions(
      rma.items.map(({ entityId }) => entityId),
      resolutions,
    );
    await refuseWhileRefunding(tx, rma);
    refuseUnlessReady(rma);
    refuseLate();
    await decide(tx, rma, resolutions);
    progress.isDecided = canSettle(rma.status);
    if (method === null) return endWithoutMoney(tx, rma);
    if (method === 'original_payment') {
      refuseUnlessSettleable(rma);
      const settled = await settleThroughGateway(tx, { order, rma, canRefundThrough, options: plainSettlement });
      if (settled.attempt) opened(settled.attempt.attemptId);
      return settled;
    }
    return settleAs(tx, { order, rma }, method);
  };
  try {
    return await changeReturn(em, request, work);
  } catch (error) {
    // A refusal before the decision is not recorded; a refund that failed after it is.
    if (progress.isDecided) await recordSettleRefusal(em, returnId, error);
    throw error;
  }
}

/** Writes the decisions to the lines, and one comment to the history. */
async function decide(em: EntityManager, rma: LockedReturn, resolutions: readonly LineResolution[]): Promise<void> {
  for (const item of rma.items) {
    const line = resolutions.find(({ rmaItemId }) => rmaItemId === item.entityId);
    if (!line) continue;
    item.resolutionMode = line.mode;
    item.refundMethod = line.refundMethod;
    item.resolution = resolutionLabels[line.mode];
  }
  const comment = describeResolutions(
    rma.items.map(({ productSku, resolutionMode, refundMethod }) => ({
      sku: productSku,
      resolutionMode,
      refundMethod,
    })),
  );
  await addReturnComment(em, { returnId: rma.returnId, comment, status: rma.status });
}

async function endWithoutMoney(em: EntityManager, rma: LockedReturn): Promise<{ status: ReturnStatus }> {
  rma.refundMethod = null;
  await changeStatus(em, rma, 'resolved');
  return { status: rma.status };
}

const settleAs = (em: EntityManager, { order, rma }: OrderAndReturn, method: SettleMethod) =>
  settleLocked(em, {
    order,
    rma,
    settlement: { returnId: rma.returnId, method, options: plainSettlement },
  });

export interface StatusByHand extends OperationOnReturn, Noted {
  status: ReturnStatus;
}

/**
 * Sets the status of a return by hand, where `movesByHand` permits the move (spec 4.8). Approval approves every line
 * in full.
 *
 * Safe to repeat: the same status again is answered unchanged, and nothing is written.
 *
 * Refused with: 404 unknown return · 400 a move that is not in the table, any move from a final status · 409
 * `return_not_ready` · 503 too late.
 */
export const setReturnStatus = (em: EntityManager, request: StatusByHand): Promise<{ status: ReturnStatus }> =>
  changeReturn(em, request, async (tx, { rma, done, refuseLate }) => {
    if (done) return { status: rma.status };
    const next = moveByHand(rma.status, request.status);
    if (next === rma.status) return { status: next };
    // A return with unfinished creation may be refused but not moved on: its initialisation would run on top of that.
    if (rma.hasTenders) await refuseWhileRefunding(tx, rma);
    if (!isTerminal(next)) refuseUnlessReady(rma);
    refuseLate();
    grant(rma, next);
    await changeStatus(tx, rma, next);
    await withComment(tx, rma, request);
    return { status: next };
  });

/** An authorisation or an approval grants the requested quantities. */
function grant(rma: LockedReturn, status: ReturnStatus): void {
  if (status !== 'approved' && status !== 'authorized') return;
  for (const item of rma.items) {
    item.qtyAuthorized = item.qtyRequested;
    if (status === 'approved') item.qtyApproved = item.qtyRequested;
  }
}
