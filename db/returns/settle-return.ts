import type { EntityManager } from '@mikro-orm/postgresql';
import { handbackOf, type CreditLeg } from '../../domain/credits/applied-credit.ts';
import { moneyText } from '../../domain/currency-texts.ts';
import { conflict, PosError, type Refusal } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { coinsOf, type Amount, type Coins, negate, zero } from '../../domain/money.ts';
import {
  asRefundLeg,
  differenceOf,
  legsWithIssued,
  memoRequest,
  type ExpectedLeg,
  type RefundLeg,
  type RegisterReference,
  type SettlementOptions,
} from '../../domain/refunds/quote-refund.ts';
import { refundRefused } from '../../domain/refunds/refund-finding.ts';
import { returnNotSettleable } from '../../domain/refusals/returns.ts';
import { settledStatus, type SettleMethod } from '../../domain/returns/resolution.ts';
import { canSettle, isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { bookMemoWithCredits } from '../credits/give-credits-back.ts';
import { postRefundMail } from '../mails/post-refund-mail.ts';
import type { BookedMemo } from '../platform/credit-memos/book-credit-memo.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import {
  asOpen,
  itemsOf,
  openRefundAttempt,
  refuseReferenceInUse,
  uncertainty,
  type OpenAttempt,
} from '../refunds/refund-intent.ts';
import { findOpenAttempt, lockRefundAttempt } from '../refunds/refund-attempt.repository.ts';
import { explainUsedUp } from '../refunds/refundable-money.ts';
import type { ThroughGateway } from '../refunds/through-gateway.ts';
import { dropOpenTenders, refuseOnceRefunded } from '../tenders/return-tenders.ts';
import { sql } from '../support/sql.ts';
import { insertRows, type Written } from '../support/write-rows.ts';
import { addReturnCommentOnce, returnComments, moveTo } from './add-return-comment.ts';
import { findSettlePayload } from './keep-settle-payload.ts';
import { changeReturn, withReturn, type DoneBefore, type LockedReturn, type OperationOnReturn } from './lock-return.ts';

/** 409 `return_not_ready` while the creation of a return is unfinished. */
export function refuseUnlessReady(rma: LockedReturn): void {
  if (rma.isReady) return;
  const message = `Return ${rma.incrementId} is still being created. Nothing was changed; try again in a moment.`;
  throw conflict('return_not_ready', message, { return_id: rma.returnId });
}

/**
 * 409 `gateway_uncertain` while money of a return may be on its way (spec 3.3); 400 `tender_line_refunded` once a tender
 * line of it went back.
 */
export async function refuseWhileRefunding(em: EntityManager, rma: LockedReturn): Promise<void> {
  const open = await openAttemptOf(em, rma);
  if (open) throw uncertainty(open);
  await refuseOnceRefunded(em, rma);
}

/** The undecided attempt of a return. */
export const openAttemptOf = (em: EntityManager, rma: LockedReturn) => findOpenAttempt(em, rma);

/**
 * After a refused settlement rolled back: the return stays parked, and its history and its order's give the reason.
 * Only final refusals are recorded; a conflict or an unknown return is not. The caller throws the refusal on.
 *
 * Safe to repeat: the same reason is added only once.
 */
export async function recordSettleRefusal(em: EntityManager, returnId: number, error: unknown): Promise<void> {
  if (!(error instanceof PosError) || error.status !== 400) return;
  const message = fillIn(error.message, error.parameters);
  await withReturn(em, returnId, async (tx, { order, rma }) => {
    const isNew = await addReturnCommentOnce(tx, { returnId, comment: `Not settled: ${message}`, status: rma.status });
    if (!isNew) return;
    const { entityId: orderId, status } = order;
    await addOrderComment(tx, { orderId, comment: `Return ${rma.incrementId} was not settled: ${message}`, status });
  });
}

/** The status that a settlement gave its return, and the mail to the customer. */
interface SettledAs {
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
  await dropOpenTenders(em, rma);
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
  if (!canSettle(rma.status)) throw returnNotSettleable([rma.status]);
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

export interface SettlementThroughGateway extends ThroughGateway {
  order: LockedOrder;
  rma: LockedReturn;
  options: SettlementOptions;
  reported?: RegisterReference;
  expectedLegs?: readonly ExpectedLeg[];
  /** 503 where nobody waits any more. */
  refuseLate?: () => void;
}

/**
 * Refunds a return by its original payment, in the caller's transaction with order and return locked: records the
 * refund attempt before the gateway is called.
 *
 * Where all of it is credit no gateway is needed (our choice): the memo is booked at once, and the return ends
 * without an attempt. Refused as `openRefundAttempt` and `settleLocked`.
 */
export async function settleThroughGateway(
  em: EntityManager,
  { order, rma, canRefundThrough, options, reported, expectedLegs, refuseLate }: SettlementThroughGateway,
): Promise<SettledAs & { attempt?: OpenAttempt }> {
  if (reported !== undefined) await refuseReferenceInUse(em, { ...rma, reference: reported.reference });
  rma.status = 'awaiting_refund';
  rma.refundMethod = 'original_payment';
  const expected = expectedLegs === undefined ? {} : { expectedLegs };
  const late = refuseLate === undefined ? {} : { refuseLate };
  const request = {
    order,
    rma,
    canRefundThrough,
    options,
    ...late,
    ...expected,
    ...(reported === undefined ? {} : { reported }),
  };
  const attempt = await openRefundAttempt(em, request);
  if (attempt) return { status: rma.status, attempt };
  const settlement = { returnId: rma.returnId, method: 'original_payment', options } as const;
  rma.isReady = true;
  return settleLocked(em, {
    order,
    rma,
    settlement: { ...settlement, ...expected, ...reported },
  });
}

export interface GatewaySettlement extends ThroughGateway, OperationOnReturn {
  options: SettlementOptions;
  reported?: RegisterReference;
  expectedLegs?: readonly ExpectedLeg[];
}

/**
 * Records the refund of a parked return through its original gateway, before the gateway is called. Where all of it
 * is credit, it is settled at once.
 *
 * Safe to repeat: the attempt of the same request is answered; a return in a terminal status needs none. A refusal
 * leaves the return unchanged, with a comment.
 *
 * Refused with: 404 unknown return · 400 wrong status, no gateway, nothing left · 409 `gateway_uncertain`.
 */
export async function startGatewaySettlement(em: EntityManager, settlement: GatewaySettlement): Promise<Settling> {
  try {
    return await changeReturn(em, settlement, async (tx, { order, rma, done, refuseLate, opened }) => {
      if (done) return asBefore(tx, rma, done);
      if (isTerminal(rma.status)) return { status: rma.status };
      refuseUnlessSettleable(rma);
      const settled = await settleThroughGateway(tx, { ...settlement, order, rma, refuseLate });
      if (settled.attempt) opened(settled.attempt.attemptId);
      return settled;
    });
  } catch (error) {
    await recordSettleRefusal(em, settlement.returnId, error);
    throw error;
  }
}

export interface Settled {
  order: LockedOrder;
  rma: LockedReturn;
  memo: BookedMemo;
  /** The credit that the memo gave back. */
  legs: readonly CreditLeg[];
  method: SettleMethod;
  /** One sentence on how the booked legs differ from the expected ones; null when they do not. */
  difference: string | null;
}

/**
 * Ends a return whose memo was booked in this transaction: totals, history and audit with it. It ends as resolved
 * where every line has a resolution, else as closed.
 */
export async function closeSettled(em: EntityManager, settled: Settled): Promise<void> {
  const { order, memo } = settled;
  const isLess = memo.difference < zero || memo.baseDifference < zero;
  await insertRows(em, endSettled({ ...settled, whyLess: isLess ? await goodwillBefore(em, order, memo) : null }));
}

/** What another memo gave of the money of these goods, for the history of the return; null where none did. */
async function goodwillBefore(em: EntityManager, order: LockedOrder, memo: BookedMemo): Promise<string | null> {
  const { orderCurrencyCode: code } = order;
  const before = await gaveGoodwill.first(em, { orderId: memo.orderId, memoId: memo.entityId });
  if (!before) return null;
  const shown = (value: Amount) => moneyText(value, code);
  const more = before.memos > 1 ? ' and others' : '';
  return `${shown(negate(memo.difference))} less than the goods: credit memo ${before.incrementId}${more} gave ${shown(before.gave)} before.`;
}

const gaveGoodwill = sql('settle-return.gaveGoodwill')`
  select max(increment_id) as increment_id, sum(adjustment_positive - greatest(difference, 0)) as gave,
    count(*) as memos
  from sales_creditmemo
  where order_id = $orderId and entity_id <> $memoId and state <> 3 and figures_from <> 'save'
    and adjustment_positive > greatest(difference, 0)
  having count(*) > 0`;

/** The same, for a statement that writes more than the line of audit and the comments, which are the answer. */
export function endSettled(settled: Settled & { whyLess?: string | null }): Written[] {
  const { order, rma, memo, legs, method, difference, whyLess = null } = settled;
  const total = { base: memo.baseGrandTotal, order: memo.grandTotal };
  const refundLegs = legs.map(asRefundLeg);
  const audited = moveTo(rma, settledStatus(rma.items));
  rma.refundMethod = method;
  rma.creditMemoId = memo.entityId;
  rma.refundLegs = refundLegs;
  rma.baseRefundTotal = total.base;
  rma.baseHandback = handbackOf(total, refundLegs, coinsOf(order)).base;
  rma.refundDifference = difference;
  const { returnId, status } = rma;
  const more = [whyLess, difference].filter((one) => one !== null);
  const sentences = [`Settled by ${method}: credit memo ${memo.incrementId}.`, ...more];
  return [audited, returnComments(sentences.map((comment) => ({ returnId, comment, status })))];
}
