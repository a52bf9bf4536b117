import { outsideName } from '../db/installation/outside-name.ts';
import { storeOfOrder } from '../db/platform/orders/cancel-order.ts';
import { collapseReturn } from '../db/process/collapse-return.ts';
import { openProcessOfReturn } from '../db/process/open-process.ts';
import { findProcess, openProcessOf } from '../db/process/process.repository.ts';
import { cancelRefund, closeReturn } from '../db/returns/close-return.ts';
import type { OrderAndReturn, Seen } from '../db/returns/lock-return.ts';
import { openReturn } from '../db/returns/open-return.ts';
import { receiveReturn } from '../db/returns/receive-return.ts';
import { commentHeld, recordProvider } from '../db/returns/record-hold-reason.ts';
import { resolveReturn, setReturnStatus } from '../db/returns/resolve-return.ts';
import { findReturn, type ReturnRecord } from '../db/returns/return.repository.ts';
import { bookSettlement, startGatewaySettlement } from '../db/returns/settle-return.ts';
import { PosError, type Refusal } from '../domain/errors.ts';
import { fillIn } from '../domain/fill-in.ts';
import { none, parseQuantity } from '../domain/money.ts';
import type { Outcome } from '../domain/outcome.ts';
import type {
  CollapseRequest,
  CreateRequest,
  NotedRequest,
  ProcessRequest,
  ReceiveRequest,
  ResolveRequest,
  SetStatusRequest,
  SettleRequest,
} from '../domain/returns/return-requests.ts';
import { methodOfProcess } from '../domain/returns/return-status.ts';
import { activeStoreCredit } from '../providers/credits/active-store-credit.ts';
import { NotAttempted, type ReturnsProvider, type ReturnToTakeOn, type TakenOn } from '../providers/returns.ts';
import { openWords, withWords } from '../providers/returns/sealed-words.ts';
import { returnSteps, snapshotOf, type GoingOn, type Made, type Step, type To } from './return-steps.ts';
import { orRefused, type ActivityDependencies } from './support.ts';

/** How a return comes to be, and how it is taken up where a run of its workflow begins. */
const createCreationActivities = (dependencies: ActivityDependencies) => {
  const { orm, providers, gatewayTimeoutSeconds } = dependencies;
  const { noGateway, gatewayOfOrder, read, asStep, takeUp } = returnSteps(dependencies);

  return {
    /**
     * Writes the row of a return, and does what its creation asks for, in one transaction; a repeat goes on where it
     * stands. See `openReturn`.
     */
    createReturn: ({ returnId, request }: To & { request: CreateRequest }) =>
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
    collapseReturn: ({ returnId, request }: To & { request: CollapseRequest }) =>
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
  const { noGateway, gatewayOfReturn, step } = returnSteps(dependencies);

  const ofVerb = (returnId: number, work: (seen: Seen) => Promise<Made>): Promise<Outcome<Step>> =>
    orRefused(() => step(returnId, work));

  const noted = ({ words, by }: Pick<NotedRequest, 'words' | 'by'>) => ({
    ...openWords(providers.secrets, words),
    author: by,
  });

  return {
    ...createCreationActivities(dependencies),

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
