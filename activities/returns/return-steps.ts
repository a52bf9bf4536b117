import { paymentOfOrder } from '../../db/process/process.repository.ts';
import type { OpenAttempt } from '../../db/refunds/open-refund-attempt.ts';
import { initialiseReturn, type GoingOn } from '../../db/returns/initialise-return.ts';
import type { OrderAndReturn, Seen } from '../../db/returns/lock-return.ts';
import { paymentOfReturn } from '../../db/returns/payment-of-return.ts';
import { findReturn } from '../../db/returns/return.repository.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { canRefundThrough } from '../../providers/gateways/can-refund-through.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { snapshotOf, snapshotOfRecord, type ReturnSnapshot } from './return-snapshot.ts';

export type { GoingOn };

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
  /** The return stands, and this part of the request is refused. */
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
