import { outsideName } from '../db/installation/outside-name.ts';
import { storeOfOrder } from '../db/platform/orders/cancel-order.ts';
import { collapseReturn } from '../db/process/collapse-return.ts';
import { openProcessOfReturn } from '../db/process/open-process.ts';
import { findProcess, openProcessOf, paymentOfOrder } from '../db/process/process.repository.ts';
import type { OpenAttempt } from '../db/refunds/refund-intent.ts';
import { cancelRefund, closeReturn } from '../db/returns/close-return.ts';
import { initialiseReturn, type GoingOn } from '../db/returns/create-return.ts';
import type { OrderAndReturn, Seen } from '../db/returns/lock-return.ts';
import { openReturn } from '../db/returns/open-return.ts';
import { receiveReturn } from '../db/returns/receive-return.ts';
import { commentHeld, recordProvider } from '../db/returns/record-hold-reason.ts';
import { resolveReturn, setReturnStatus } from '../db/returns/resolve-return.ts';
import { findReturn, type ReturnRecord } from '../db/returns/return.repository.ts';
import { bookSettlement, startGatewaySettlement } from '../db/returns/settle-return.ts';
import { paymentOfReturn } from '../db/returns/sold-order.ts';
import { readTenderPayments } from '../db/tenders/read-tenders.ts';
import { settleByTenders } from '../db/verdicts/settle-tenders.ts';
import { fieldRequired, PosError, type Refusal } from '../domain/errors.ts';
import { fillIn } from '../domain/fill-in.ts';
import { none, parseQuantity } from '../domain/money.ts';
import type { Outcome } from '../domain/outcome.ts';
import type * as Requests from '../domain/returns/return-requests.ts';
import { methodOfProcess, type ReturnStatus } from '../domain/returns/return-status.ts';
import { activeStoreCredit } from '../providers/credits/active-store-credit.ts';
import { canRefundThrough } from '../providers/gateways/payment-gateway.ts';
import { NotAttempted, type ReturnsProvider, type ReturnToTakeOn, type TakenOn } from '../providers/returns.ts';
import { openWords, withWords } from '../providers/returns/sealed-words.ts';
import { snapshotOf, snapshotOfRecord, type ReturnSnapshot } from './return-snapshot.ts';
import { orRefused, type ActivityDependencies } from './support.ts';

export type { GoingOn, ReturnSnapshot };

/** An interrupted run may have left it. */
type LeftAttempt = OpenAttempt & { isLeftOver?: boolean };

/** What a step did to a return, and what is left to be done. */
export interface Step {
  now: ReturnSnapshot;
  /** A gateway refund to carry out now. */
  attempt?: LeftAttempt & { gatewayTimeoutSeconds: number };
  /** The outside provider must be asked before anything else. */
  needsProvider?: true;
  /** A tender line of it went back, and the settlement that asked is not finished. */
  isLineRefunded?: true;
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

  /** The same with the payments that the tenders of the order name. */
  const gatewayOfTenders = async (returnId: number) => {
    const payment = await paymentOfReturn(orm.em.fork(), returnId);
    const captures = [...payment.captures, ...(await readTenderPayments(orm.em.fork(), payment.orderId))];
    return canRefundThrough(providers.gateways, { ...payment, captures });
  };

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

  return { noGateway, gatewayOfReturn, gatewayOfTenders, gatewayOfOrder, read, asStep, step, takeUp };
}

/** How a return comes to be, and how it is taken up where a run of its workflow begins. */
const createCreationActivities = (dependencies: ActivityDependencies) => {
  const { orm, providers, gatewayTimeoutSeconds } = dependencies;
  const { noGateway, gatewayOfOrder, read, asStep, takeUp } = returnSteps(dependencies);

  return {
    /**
     * Writes the row of a return, and does what its creation asks for, in one transaction; a repeat goes on where it
     * stands. See `openReturn`.
     */
    createReturn: ({ returnId, request }: To & { request: Requests.CreateRequest }) =>
      orRefused(async (): Promise<Step> => {
        const { words, by, incrementId, items, orderId, refundMethod, ...requested } = request;
        const gateway = refundMethod === 'original_payment' ? await gatewayOfOrder(orderId) : noGateway;
        let rows: OrderAndReturn | undefined;
        const opened = await openReturn(orm.em, {
          ...{ ...requested, orderId, refundMethod, author: by, seen: (locked) => (rows = locked) },
          numbers: { returnId, incrementId },
          ...withWords(providers.secrets, words, items),
          canRefundThrough: gateway,
        });
        if (opened.returnId === returnId) return asStep(returnId, rows, opened.begun);
        return { now: await read(opened.returnId), reusedId: opened.returnId };
      }),

    /** Goods and money back in one transaction, up to the call of a gateway. See `collapseReturn`. */
    collapseReturn: ({ returnId, request }: To & { request: Requests.CollapseRequest }) =>
      orRefused(async (): Promise<Step> => {
        const { words, by, incrementId, items, ...target } = request;
        const em = orm.em.fork();
        let rows: OrderAndReturn | undefined;
        const run = await collapseReturn(orm.em, {
          ...target,
          ...{ author: by, seen: (locked) => (rows = locked) },
          numbers: { returnId, incrementId },
          ...withWords(providers.secrets, words, items),
          canRefundThrough:
            methodOfProcess(target) === 'original_payment' ? await gatewayOfOrder(target.orderId) : noGateway,
          storeCreditIn: await activeStoreCredit({ em, credits: providers.credits }, target),
        });
        const { processId, attempt } = run;
        if (run.returnId !== null && run.returnId !== returnId)
          return { now: await read(run.returnId), reusedId: run.returnId, processId };
        if (run.isReused) return goOn({ returnId, processId });
        const now = rows ? snapshotOf(rows) : await read(returnId);
        return { now, processId, ...(attempt ? { attempt: { ...attempt, gatewayTimeoutSeconds } } : {}) };
      }),

    /**
     * Goes on with a return from any state of its rows: what its creation asked for, and what a crash left half-done.
     * One that is ready, with nothing pending, is only read. See `initialiseReturn`.
     */
    takeUpReturn: ({ returnId, ...goingOn }: To & GoingOn) =>
      orRefused(async (): Promise<Step> => {
        try {
          const taken = await takeUp(returnId, goingOn);
          const openProcessId = taken.attempt ? undefined : await openProcessOf(orm.em.fork(), returnId);
          return openProcessId === undefined ? taken : { ...taken, openProcessId };
        } catch (error) {
          if (!(error instanceof PosError) || error.status === 404) throw error;
          return { now: await read(returnId), refused: error.refusal };
        }
      }),

    /** A return as it is. Reads only. */
    readReturn: ({ returnId }: To) => orRefused(async (): Promise<Step> => ({ now: await read(returnId) })),
  };

  /** A collapsed return that an earlier try of this step wrote: the refund that it opened is its own, not left over. */
  async function goOn({ returnId, processId }: To & { processId: number }): Promise<Step> {
    const { attempt, ...taken } = await takeUp(returnId);
    if (attempt === undefined) return { ...taken, processId };
    const { refundAttemptId } = await findProcess(orm.em.fork(), processId);
    return { ...taken, processId, attempt: { ...attempt, isLeftOver: refundAttemptId !== attempt.attemptId } };
  }
};

export type ReturnActivities = ReturnType<typeof createReturnActivities>;

/** What is asked of a return: each activity is one transaction, and answers the return as it left it. */
export const createReturnActivities = (dependencies: ActivityDependencies) => {
  const { orm, providers } = dependencies;
  const { noGateway, gatewayOfReturn, gatewayOfTenders, step } = returnSteps(dependencies);

  const ofVerb = (returnId: number, work: (seen: Seen) => Promise<Made>): Promise<Outcome<Step>> =>
    orRefused(() => step(returnId, work));

  const noted = ({ words, by }: Pick<Requests.NotedRequest, 'words' | 'by'>) => ({
    ...openWords(providers.secrets, words),
    author: by,
  });

  return {
    ...createCreationActivities(dependencies),

    /** Sets a status by hand, where the table permits the move. See `setReturnStatus`. */
    setReturnStatus: ({ returnId, request }: To & { request: Requests.SetStatusRequest }) =>
      ofVerb(returnId, (seen) => setReturnStatus(orm.em, { ...request, ...noted(request), returnId, seen })),

    /** Receives the goods of an approved return; the condition decides where each goes. See `receiveReturn`. */
    receiveReturn: ({ returnId, request }: To & { request: Requests.ReceiveRequest }) =>
      ofVerb(returnId, (seen) => receiveReturn(orm.em, { ...request, returnId, seen })),

    /** Decides every line, and gives money back for lines with a method, or opens the refund. See `resolveReturn`. */
    resolveReturn: ({ returnId, request }: To & { request: Requests.ResolveRequest }) =>
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
    settleReturn: ({ returnId, request }: To & { request: Requests.SettleRequest }) =>
      ofVerb(returnId, async (seen) => {
        const { method, tenders, reference, operationKey } = request;
        if (tenders !== undefined)
          return settleByTenders(orm.em, {
            ...request,
            tenders,
            returnId,
            seen,
            canRefundThrough: await gatewayOfTenders(returnId),
          });
        if (method === undefined) throw fieldRequired('method');
        if (method !== 'original_payment')
          return bookSettlement(orm.em, { ...request, method, returnId, seen, requestId: operationKey });
        return startGatewaySettlement(orm.em, {
          ...{ ...request, returnId, seen, canRefundThrough: await gatewayOfReturn(returnId) },
          ...(reference === undefined ? {} : { reported: { reference, requestId: operationKey } }),
        });
      }),

    /** The goods stay and the refund is cancelled. See `cancelRefund`. */
    cancelRefund: ({ returnId, request }: To & { request: Requests.NotedRequest }) =>
      ofVerb(returnId, (seen) => cancelRefund(orm.em, { ...request, ...noted(request), returnId, seen })),

    /** The goods go back to the buyer; no money moves. See `closeReturn`. */
    closeReturn: ({ returnId, request }: To & { request: Requests.NotedRequest }) =>
      ofVerb(returnId, (seen) => closeReturn(orm.em, { ...request, ...noted(request), returnId, seen })),

    /** Writes down a collapsed return that finishes this return. Null: it has ended. See `openProcessOfReturn`. */
    openFastTrack: ({ returnId, request }: To & { request: Requests.ProcessRequest }) =>
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
};

/** A provider's answer to a return: taken on, passed before it wrote anything, or a refusal. */
export type Offered = { taken: TakenOn } | { passed: true } | { state: 'refused' | 'failed'; refusal: Refusal };

/** Offers a return to one provider. Its errors become values: only our own faults are retried (spec 4.8). */
export async function offerToProvider(
  { log }: Pick<ActivityDependencies, 'log'>,
  provider: ReturnsProvider,
  request: ReturnToTakeOn,
): Promise<Offered> {
  try {
    return { taken: await provider.takeOn(request) };
  } catch (error) {
    if (error instanceof NotAttempted) return { passed: true };
    if (error instanceof PosError) return { state: 'refused', refusal: error.refusal };
    log.error({ request: request.requestKey, provider: provider.code, error }, 'a returns provider failed');
    const message = `The returns provider "${provider.code}" failed: ${sentenceOf(error)} No money was given back.`;
    return { state: 'failed', refusal: { status: 500, message } };
  }
}

/** What it threw, as one sentence: it is told at the register and stands in the order's history. */
function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ').trim() : '';
  const short = message.length > longestAnswered ? `${message.slice(0, longestAnswered)}…` : message;
  if (short === '') return 'It gave no reason.';
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}

const longestAnswered = 300;

export type ProviderActivities = ReturnType<typeof createProviderActivities>;

export const createProviderActivities = (dependencies: ActivityDependencies) => {
  const { orm, providers } = dependencies;

  const refuse = async (returnId: number, refusal: Refusal): Promise<Outcome<{ isTaken: true }>> => {
    await commentHeld(orm.em, returnId, fillIn(refusal.message, refusal.parameters));
    return { refused: refusal };
  };

  return {
    /**
     * Offers a new return to the providers of its store in their order, and records which one took it (spec 4.8). The
     * one it was created for comes first. A repeat under the same key gives the same result.
     */
    offerReturn: ({ returnId }: { returnId: number }) =>
      orRefused(async () => {
        const rma = await findReturn(orm.em.fork(), returnId);
        const storeId = await storeOfOrder(orm.em.fork(), rma.orderId);
        const inOrder = await providers.returns.inOrder(storeId);
        const first = Math.max(
          0,
          inOrder.findIndex(({ code }) => code === rma.providerCode),
        );
        for (const provider of inOrder.slice(first)) {
          const offered = await offerToProvider(dependencies, provider, toTakeOn(rma, storeId));
          if ('refusal' in offered) return refuse(returnId, offered.refusal);
          if ('passed' in offered) continue;
          const { reference, isRestockedHere } = offered.taken;
          await recordProvider(orm.em, { returnId, providerCode: provider.code, reference, isRestockedHere });
          return { isTaken: true as const };
        }
        const message = `No returns provider took return ${rma.incrementId} on.`;
        return refuse(returnId, { status: 400, message, parameters: { return_id: returnId } });
      }),
  };
};

const toTakeOn = (rma: ReturnRecord, storeId: number): ReturnToTakeOn => ({
  requestKey: outsideName(`return-${rma.returnId}`, rma.nameTail),
  orderIncrementId: rma.orderIncrementId,
  storeId,
  lines: rma.items.map((item) => ({
    orderItemId: item.order_item_id,
    sku: item.product_sku,
    qty: parseQuantity(String(item.qty_requested)) ?? none,
    reason: item.reason,
    condition: item.condition,
    resolution: item.resolution,
  })),
});
