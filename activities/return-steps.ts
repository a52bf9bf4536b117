import { quoteCreditMemo } from '../db/platform/credit-memos/book-credit-memo.ts';
import { paymentOfOrder } from '../db/process/process.repository.ts';
import { itemsOf, type OpenAttempt } from '../db/refunds/open-refund-attempt.ts';
import { initialiseReturn, type GoingOn } from '../db/returns/create-return.ts';
import type { OrderAndReturn, Seen } from '../db/returns/lock-return.ts';
import { findReturn, type ReturnRecord } from '../db/returns/return.repository.ts';
import { paymentOfReturn } from '../db/returns/sold-order.ts';
import { PosError, type Refusal } from '../domain/errors.ts';
import { moneyText } from '../domain/currency-texts.ts';
import { memoRequest, plainSettlement } from '../domain/refunds/quote-refund.ts';
import { isTerminal, type ReturnStatus } from '../domain/returns/return-status.ts';
import { canRefundThrough } from '../providers/gateways/payment-gateway.ts';
import type { ActivityDependencies } from './support.ts';

export type { GoingOn };

/** A return in its workflow's memory: numbers and status words, no personal data. */
export interface ReturnSnapshot {
  incrementId: string;
  orderId: number;
  orderIncrementId: string;
  status: ReturnStatus;
  isReady: boolean;
  refundMethod: string | null;
  /** An attempt that is not decided. */
  attemptId: number | null;
  /** What it waits to give back, with its currency; null: not known, or nothing. */
  amount: string | null;
}

/** A return under its lock, as it is left. */
export const snapshotOf = ({ order, rma }: OrderAndReturn): ReturnSnapshot => ({
  incrementId: rma.incrementId,
  orderId: order.entityId,
  orderIncrementId: order.incrementId,
  status: rma.status,
  isReady: rma.isReady,
  refundMethod: rma.refundMethod ?? rma.requestedRefundMethod,
  attemptId: null,
  amount: isTerminal(rma.status) ? null : amountOf({ order, rma }),
});

/** What a settle without adjustments would give back now. */
function amountOf({ order, rma }: OrderAndReturn): string | null {
  try {
    const { grandTotal } = quoteCreditMemo(order, memoRequest(itemsOf(rma), plainSettlement, order)).order;
    return moneyText(grandTotal, order.orderCurrencyCode);
  } catch (error) {
    if (error instanceof PosError) return null;
    throw error;
  }
}

/** A return as it was read. */
const snapshotOfRecord = (record: ReturnRecord): ReturnSnapshot => ({
  incrementId: record.incrementId,
  orderId: record.orderId,
  orderIncrementId: record.orderIncrementId,
  status: record.status,
  isReady: record.isReady,
  refundMethod: record.refundMethod ?? record.requestedRefundMethod,
  attemptId: record.attemptState === 'started' || record.attemptState === 'uncertain' ? record.attemptId : null,
  amount: null,
});

/** An interrupted run may have left it. */
type LeftAttempt = OpenAttempt & { isLeftOver?: boolean };

/** What a step did to a return, and what is left to be done. */
export interface Step {
  now: ReturnSnapshot;
  /** A gateway refund to carry out now. */
  attempt?: LeftAttempt & { gatewayTimeoutSeconds: number };
  /** The outside provider must be asked before anything else. */
  needsProvider?: true;
  /** Its money was refused: only somebody who asks goes on with it. */
  waitsForCaller?: true;
  /** The return stands, and this part of the request is refused: `isRefused` is true of it, and it has its `now`. */
  refused?: Refusal;
  /** The sale has another return. */
  reusedId?: number;
  /** A collapsed return that is under way or has ended. */
  processId?: number;
  /** A collapsed return of it that was interrupted before its money went back. */
  openProcessId?: number;
  mailId?: number;
}

/** What a transaction of `db/returns` answers. */
export interface Made {
  status: ReturnStatus;
  isReady?: boolean;
  attempt?: LeftAttempt;
  uncertainId?: number;
  needsProvider?: true;
  waitsForCaller?: true;
  refused?: Refusal;
  mailId?: number;
}

export interface To {
  returnId: number;
}

/** How the activities of returns take their steps. */
export function returnSteps({ orm, providers, gatewayTimeoutSeconds }: ActivityDependencies) {
  const noGateway = () => false;

  /** The gateway is determined before the transaction: no outside read happens while locks are held. */
  const gatewayOfReturn = async (returnId: number) =>
    canRefundThrough(providers.gateways, await paymentOfReturn(orm.em.fork(), returnId));

  const gatewayOfOrder = async (orderId: number) => {
    const payment = await paymentOfOrder(orm.em.fork(), orderId);
    return payment ? canRefundThrough(providers.gateways, payment) : noGateway;
  };

  const read = async (returnId: number): Promise<ReturnSnapshot> =>
    snapshotOfRecord(await findReturn(orm.em.fork(), returnId));

  /** A transaction's answer, and the return as it left it; what it did not read is read. */
  const asStep = async (returnId: number, rows: OrderAndReturn | undefined, made: Made): Promise<Step> => {
    const left = rows ? snapshotOf(rows) : await read(returnId);
    const { attempt, uncertainId, status: _status, isReady: _isReady, ...rest } = made;
    const now = { ...left, attemptId: attempt?.attemptId ?? uncertainId ?? left.attemptId };
    return { now, ...rest, ...(attempt ? { attempt: { ...attempt, gatewayTimeoutSeconds } } : {}) };
  };

  const step = async (returnId: number, work: (seen: Seen) => Promise<Made>): Promise<Step> => {
    let rows: OrderAndReturn | undefined;
    const made = await work((locked) => (rows = locked));
    return asStep(returnId, rows, made);
  };

  /** What the creation of a return asked for, and what a crash left half-done. */
  const takeUp = (returnId: number, goingOn: GoingOn = {}) =>
    step(returnId, async (seen) =>
      initialiseReturn(orm.em, { ...goingOn, returnId, seen, canRefundThrough: await gatewayOfReturn(returnId) }),
    );

  return { noGateway, gatewayOfReturn, gatewayOfOrder, read, asStep, step, takeUp };
}
