import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, type Refusal } from '../../domain/errors.ts';
import { refundRefused } from '../../domain/refunds/refund-refused.ts';
import type { Amount } from '../../domain/money/amount.ts';
import { coinsOf, type Coins } from '../../domain/money/coins.ts';
import { legsWithIssued } from '../../domain/refunds/issued-as-credit.ts';
import {
  asRefundLeg,
  differenceOf,
  memoRequest,
  type ExpectedLeg,
  type RefundLeg,
  type SettlementOptions,
} from '../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { canSettle } from '../../domain/returns/settle-rules.ts';
import { bookMemoWithCredits } from '../credits/book-memo-with-credits.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { postRefundMail } from '../mails/post-refund-mail.ts';
import { explainUsedUp } from '../refunds/nothing-left.ts';
import { asOpen, itemsOf, uncertainty, type OpenAttempt } from '../refunds/open-refund-attempt.ts';
import { lockRefundAttempt } from '../refunds/refund-attempt.repository.ts';
import { refuseReferenceInUse } from '../refunds/refuse-reference-in-use.ts';
import { closeSettled } from './close-settled.ts';
import { refuseUnlessReady, refuseWhileRefunding } from './refuse-unless-quiet.ts';
import { changeReturn, type DoneBefore, type LockedReturn, type OperationOnReturn } from './lock-return.ts';
import { recordSettleRefusal } from './record-settle-refusal.ts';
import { findSettlePayload } from './keep-settle-payload.ts';

/** The status that a settlement gave its return, and the mail to the customer. */
export interface SettledAs {
  status: ReturnStatus;
  mailId?: number;
}

/** What a settlement left to be done, or how an earlier run of its request ended. */
export interface Settling extends SettledAs {
  /** A gateway refund to carry out now. */
  attempt?: OpenAttempt;
  refused?: Refusal;
}

export interface Settlement extends OperationOnReturn {
  method: SettleMethod;
  options: SettlementOptions;
  /** The terminal's own id of the refund; absent for cash. */
  reference?: string;
  expectedLegs?: readonly ExpectedLeg[];
  /** Of the request that asked: what its terminal printed is kept under it. Absent: no register asked for it. */
  requestId?: string;
}

/**
 * Settles a return without one of our gateways: memo, credit legs, transaction row, status, history and audit in one
 * transaction (spec 4.8).
 *
 * Idempotent: a return in a terminal status is answered unchanged. A refusal leaves the return parked, with a comment
 * that gives the reason.
 *
 * Refused with: 404 unknown return · 400 wrong status, nothing left · 409 `gateway_uncertain`.
 */
export async function bookSettlement(em: EntityManager, settlement: Settlement): Promise<Settling> {
  try {
    return await changeReturn(em, settlement, async (tx, { order, rma, done, refuseLate }) => {
      if (done) return asBefore(tx, rma, done);
      if (isTerminal(rma.status)) return { status: rma.status };
      return settleLocked(tx, { order, rma, settlement, refuseLate });
    });
  } catch (error) {
    await recordSettleRefusal(em, settlement.returnId, error);
    throw error;
  }
}

/** How an earlier run of the same request ended, by the attempt that it opened. */
export async function asBefore(em: EntityManager, rma: LockedReturn, { attemptId }: DoneBefore): Promise<Settling> {
  const { status, returnId } = rma;
  if (attemptId === null) return { status };
  const attempt = await lockRefundAttempt(em, attemptId);
  if (attempt.state === 'uncertain') throw uncertainty(attempt);
  if (attempt.state === 'started') return { status, attempt: asOpen(attempt, rma) };
  if (attempt.state === 'booked') return { status };
  return { status, refused: refundRefused({ attemptId, returnId, message: attempt.message }) };
}

export interface LockedSettlement {
  order: LockedOrder;
  rma: LockedReturn;
  settlement: Settlement;
  /** 503 where nobody waits any more. */
  refuseLate?: () => void;
}

/** The settlement itself, where order and return are locked and the return is open. Refusals as above. */
export async function settleLocked(
  em: EntityManager,
  { order, rma, settlement, refuseLate }: LockedSettlement,
): Promise<SettledAs> {
  refuseUnlessSettleable(rma);
  await refuseWhileRefunding(em, rma);
  refuseLate?.();
  const { reference } = settlement;
  if (reference !== undefined) await refuseReferenceInUse(em, { ...rma, reference });
  const { memo, legs } = await bookMemo(em, { order, rma, settlement });
  const difference = differenceFrom(settlement, memo, { booked: legs.map(asRefundLeg), coins: coinsOf(order) });
  await closeSettled(em, { order, rma, memo, legs, method: settlement.method, difference });
  const { method, options } = settlement;
  const mailId = await postRefundMail(em, { creditMemoId: memo.entityId, method, ...options });
  return { status: rma.status, ...(mailId === undefined ? {} : { mailId }) };
}

/**
 * The register issues the rest as store credit itself, after the memo. Newer previews show that as a leg, older ones
 * do not.
 */
function differenceFrom(
  { expectedLegs, method }: Settlement,
  memo: { baseGrandTotal: Amount; grandTotal: Amount },
  { booked, coins }: { booked: readonly RefundLeg[]; coins: Coins },
): string | null {
  const difference = differenceOf(expectedLegs, booked);
  if (difference === null || method !== 'store_credit') return difference;
  const withIssued = legsWithIssued({ base: memo.baseGrandTotal, order: memo.grandTotal }, booked, coins);
  return differenceOf(expectedLegs, withIssued) === null ? null : difference;
}

/**
 * 409 while its creation is unfinished, 400 while its goods are not received. Shared with the settlement by gateway.
 */
export function refuseUnlessSettleable(rma: LockedReturn): void {
  refuseUnlessReady(rma);
  if (!canSettle(rma.status)) throw invalid('A return in status "%1" cannot be settled.', [rma.status]);
}

async function bookMemo(em: EntityManager, { order, rma, settlement }: LockedSettlement) {
  const { reference, requestId } = settlement;
  const payload = requestId === undefined ? undefined : await findSettlePayload(em, requestId);
  try {
    return await bookMemoWithCredits(em, {
      order,
      request: memoRequest(itemsOf(rma), settlement.options, order),
      isOnline: false,
      movesStock: false,
      ...(reference === undefined ? {} : { transactionId: reference }),
      ...(payload === undefined ? {} : { rawTransaction: { raw_payload: payload } }),
    });
  } catch (error) {
    throw await explainUsedUp(em, error, { order, returnId: rma.returnId, items: itemsOf(rma) });
  }
}
