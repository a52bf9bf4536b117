import { collapseReturn } from '../../db/process/collapse-return.ts';
import { openProcessOf, openProcessOfReturn } from '../../db/process/open-process-of-return.ts';
import { paymentOfOrder } from '../../db/process/process.repository.ts';
import type { OpenAttempt } from '../../db/refunds/open-refund-attempt.ts';
import { bookSettlement } from '../../db/returns/book-settlement.ts';
import { cancelRefund } from '../../db/returns/cancel-refund.ts';
import { closeReturn } from '../../db/returns/close-return.ts';
import { openReturn } from '../../db/returns/create-return.ts';
import { initialiseReturn } from '../../db/returns/initialise-return.ts';
import type { OrderAndReturn, Seen } from '../../db/returns/lock-return.ts';
import { paymentOfReturn } from '../../db/returns/payment-of-return.ts';
import { receiveReturn } from '../../db/returns/receive-return.ts';
import { resolveReturn } from '../../db/returns/resolve-return.ts';
import { findReturn } from '../../db/returns/return.repository.ts';
import { setReturnStatus } from '../../db/returns/set-return-status.ts';
import { startGatewaySettlement } from '../../db/returns/start-gateway-settlement.ts';
import { PosError, type Refusal } from '../../domain/errors.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { methodOfProcess } from '../../domain/returns/collapsed-return.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { activeStoreCredit } from '../../providers/credits/active-store-credit.ts';
import { canRefundThrough } from '../../providers/gateways/can-refund-through.ts';
import { openWords } from '../../providers/returns/sealed-words.ts';
import type {
  CollapseRequest,
  CreateRequest,
  NotedRequest,
  ProcessRequest,
  ReceiveRequest,
  ResolveRequest,
  SetStatusRequest,
  SettleRequest,
} from '../../domain/returns/return-requests.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';
import { snapshotOf, snapshotOfRecord, type ReturnSnapshot } from './return-snapshot.ts';

export type ReturnActivities = ReturnType<typeof createReturnActivities>;

/** An interrupted run may have left it. */
type LeftAttempt = OpenAttempt & { isLeftOver?: boolean };

/** What a step did to a return, and what is left to be done. */
export interface Step {
  now: ReturnSnapshot;
  /** A gateway refund to carry out now. */
  attempt?: LeftAttempt & { gatewayTimeoutSeconds: number };
  /** The outside provider must be asked before anything else. */
  needsProvider?: true;
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
interface Made {
  status: ReturnStatus;
  isReady?: boolean;
  attempt?: LeftAttempt;
  needsProvider?: true;
  refused?: Refusal;
  mailId?: number;
}

interface To {
  returnId: number;
}

export const createReturnActivities = ({ orm, providers, gatewayTimeoutSeconds }: ActivityDependencies) => {
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
    const now = rows ? snapshotOf(rows) : await read(returnId);
    const { attempt, status: _status, isReady: _isReady, ...rest } = made;
    if (attempt === undefined) return { now, ...rest };
    const { attemptId } = attempt;
    return { now: { ...now, attemptId }, ...rest, attempt: { ...attempt, gatewayTimeoutSeconds } };
  };

  const step = async (returnId: number, work: (seen: Seen) => Promise<Made>): Promise<Step> => {
    let rows: OrderAndReturn | undefined;
    const made = await work((locked) => (rows = locked));
    return asStep(returnId, rows, made);
  };

  const ofVerb = (returnId: number, work: (seen: Seen) => Promise<Made>): Promise<Outcome<Step>> =>
    orRefused(() => step(returnId, work));

  const noted = ({ words, by }: Pick<NotedRequest, 'words' | 'by'>) => ({
    ...openWords(providers.secrets, words),
    author: by,
  });

  return {
    /**
     * Writes the row of a return, and does what its creation asks for, in one transaction; a repeat goes on where it
     * stands. See `openReturn`.
     */
    createReturn: ({ returnId, request }: To & { request: CreateRequest }) =>
      orRefused(async (): Promise<Step> => {
        const { words, by, incrementId, items, orderId, refundMethod, ...wanted } = request;
        const { comment = null, goods = [] } = openWords(providers.secrets, words);
        const gateway = refundMethod === 'original_payment' ? await gatewayOfOrder(orderId) : noGateway;
        let rows: OrderAndReturn | undefined;
        const opened = await openReturn(orm.em, {
          ...{ ...wanted, orderId, refundMethod, comment, author: by, seen: (locked) => (rows = locked) },
          numbers: { returnId, incrementId },
          items: items.map((item, at) => ({ ...item, reason: null, condition: null, ...goods[at] })),
          canRefundThrough: gateway,
        });
        if (opened.returnId === returnId) return asStep(returnId, rows, opened.begun);
        return { now: await read(opened.returnId), reusedId: opened.returnId };
      }),

    /** Goods and money back in one transaction, up to the call of a gateway. See `collapseReturn`. */
    collapseReturn: ({ returnId, request }: To & { request: CollapseRequest }) =>
      orRefused(async (): Promise<Step> => {
        const { words, by, incrementId, items, ...wanted } = request;
        const { comment = null, goods = [] } = openWords(providers.secrets, words);
        const em = orm.em.fork();
        let rows: OrderAndReturn | undefined;
        const run = await collapseReturn(orm.em, {
          ...wanted,
          ...{ comment, author: by, seen: (locked) => (rows = locked) },
          numbers: { returnId, incrementId },
          items: items.map((item, at) => ({ ...item, reason: null, condition: null, ...goods[at] })),
          canRefundThrough:
            methodOfProcess(wanted) === 'original_payment' ? await gatewayOfOrder(wanted.orderId) : noGateway,
          storeCreditIn: await activeStoreCredit({ em, credits: providers.credits }, wanted),
        });
        const { processId, attempt } = run;
        if (run.returnId !== null && run.returnId !== returnId)
          return { now: await read(run.returnId), reusedId: run.returnId, processId };
        if (run.isReused) return { ...(await step(returnId, takeUp(returnId))), processId };
        const now = rows ? snapshotOf(rows) : await read(returnId);
        return { now, processId, ...(attempt ? { attempt: { ...attempt, gatewayTimeoutSeconds } } : {}) };
      }),

    /**
     * Goes on with a return from any state of its rows: what its creation asked for, and what a crash left half-done. One
     * that is ready, with nothing pending, is only read. See `initialiseReturn`.
     */
    takeUpReturn: ({ returnId }: To) =>
      orRefused(async (): Promise<Step> => {
        try {
          const taken = await step(returnId, takeUp(returnId));
          const openProcessId = taken.attempt ? undefined : await openProcessOf(orm.em.fork(), returnId);
          return openProcessId === undefined ? taken : { ...taken, openProcessId };
        } catch (error) {
          if (!(error instanceof PosError) || error.status === 404) throw error;
          return { now: await read(returnId), refused: error.refusal };
        }
      }),

    /** A return as it is. Reads only. */
    readReturn: ({ returnId }: To) => orRefused(async (): Promise<Step> => ({ now: await read(returnId) })),

    /** Sets a status by hand, where the table permits the move. See `setReturnStatus`. */
    setReturnStatus: ({ returnId, request }: To & { request: SetStatusRequest }) =>
      ofVerb(returnId, (seen) => setReturnStatus(orm.em, { ...request, ...noted(request), returnId, seen })),

    /** Receives the goods of an approved return; the condition decides where each goes. See `receiveReturn`. */
    receiveReturn: ({ returnId, request }: To & { request: ReceiveRequest }) =>
      ofVerb(returnId, (seen) => receiveReturn(orm.em, { ...request, returnId, seen })),

    /** Decides every line, and gives money back for lines with a method, or opens the refund. See `resolveReturn`. */
    resolveReturn: ({ returnId, request }: To & { request: ResolveRequest }) =>
      ofVerb(returnId, async (seen) => {
        const gateway = request.resolutions.some(({ refundMethod }) => refundMethod === 'original_payment')
          ? await gatewayOfReturn(returnId)
          : noGateway;
        return resolveReturn(orm.em, { ...request, returnId, seen, canRefundThrough: gateway });
      }),

    /**
     * Memo, legs, transaction row and status in one transaction (`bookSettlement`), or the intent of a gateway refund
     * before the gateway is called (`startGatewaySettlement`).
     */
    settleReturn: ({ returnId, request }: To & { request: SettleRequest }) =>
      ofVerb(returnId, async (seen) => {
        const { method, reference, operationKey } = request;
        if (method !== 'original_payment')
          return bookSettlement(orm.em, { ...request, returnId, seen, requestId: operationKey });
        return startGatewaySettlement(orm.em, {
          ...{ ...request, returnId, seen, canRefundThrough: await gatewayOfReturn(returnId) },
          ...(reference === undefined ? {} : { reported: { reference, requestId: operationKey } }),
        });
      }),

    /** The goods stay and the refund is cancelled. See `cancelRefund`. */
    cancelRefund: ({ returnId, request }: To & { request: NotedRequest }) =>
      ofVerb(returnId, (seen) => cancelRefund(orm.em, { ...request, ...noted(request), returnId, seen })),

    /** The goods go back to the buyer; no money moves. See `closeReturn`. */
    closeReturn: ({ returnId, request }: To & { request: NotedRequest }) =>
      ofVerb(returnId, (seen) => closeReturn(orm.em, { ...request, ...noted(request), returnId, seen })),

    /** Writes down a collapsed return that finishes this return. Null: it has ended. See `openProcessOfReturn`. */
    openFastTrack: ({ returnId, request }: To & { request: ProcessRequest }) =>
      orRefused(async () => {
        const em = orm.em.fork();
        const { orderId } = await findReturn(em, returnId);
        return openProcessOfReturn(orm.em, {
          returnId,
          requestKey: request.operationKey,
          ...{ resolution: request.resolution, isOnline: request.isOnline, author: request.by },
          beginBefore: request.beginBefore,
          canRefundThrough: await gatewayOfReturn(returnId),
          storeCreditIn: await activeStoreCredit({ em, credits: providers.credits }, { ...request, orderId }),
        });
      }),
  };

  function takeUp(returnId: number) {
    return async (seen: Seen): Promise<Made> =>
      initialiseReturn(orm.em, { returnId, seen, canRefundThrough: await gatewayOfReturn(returnId) });
  }
};
