import { collapseReturn } from '../../db/process/collapse-return.ts';
import { findProcess, openProcessOf } from '../../db/process/process.repository.ts';
import type { OrderAndReturn } from '../../db/returns/lock-return.ts';
import { openReturn } from '../../db/returns/open-return.ts';
import { PosError } from '../../domain/errors.ts';
import { methodOfProcess } from '../../domain/returns/collapsed-return.ts';
import type { CollapseRequest, CreateRequest } from '../../domain/returns/return-requests.ts';
import { activeStoreCredit } from '../../providers/credits/active-store-credit.ts';
import { withWords } from '../../providers/returns/sealed-words.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';
import { snapshotOf } from './return-snapshot.ts';
import { returnSteps, type GoingOn, type Step, type To } from './return-steps.ts';

/** How a return comes to be, and how it is taken up where a run of its workflow begins. */
export const createCreationActivities = (dependencies: ActivityDependencies) => {
  const { orm, providers, gatewayTimeoutSeconds } = dependencies;
  const { noGateway, gatewayOfOrder, read, asStep, takeUp } = returnSteps(dependencies);

  return {
    /**
     * Writes the row of a return, and does what its creation asks for, in one transaction; a repeat goes on where it
     * stands. See `openReturn`.
     */
    createReturn: ({ returnId, request }: To & { request: CreateRequest }) =>
      orRefused(async (): Promise<Step> => {
        const { words, by, incrementId, items, orderId, refundMethod, ...wanted } = request;
        const gateway = refundMethod === 'original_payment' ? await gatewayOfOrder(orderId) : noGateway;
        let rows: OrderAndReturn | undefined;
        const opened = await openReturn(orm.em, {
          ...{ ...wanted, orderId, refundMethod, author: by, seen: (locked) => (rows = locked) },
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
        const { words, by, incrementId, items, ...wanted } = request;
        const em = orm.em.fork();
        let rows: OrderAndReturn | undefined;
        const run = await collapseReturn(orm.em, {
          ...wanted,
          ...{ author: by, seen: (locked) => (rows = locked) },
          numbers: { returnId, incrementId },
          ...withWords(providers.secrets, words, items),
          canRefundThrough:
            methodOfProcess(wanted) === 'original_payment' ? await gatewayOfOrder(wanted.orderId) : noGateway,
          storeCreditIn: await activeStoreCredit({ em, credits: providers.credits }, wanted),
        });
        const { processId, attempt } = run;
        if (run.returnId !== null && run.returnId !== returnId)
          return { now: await read(run.returnId), reusedId: run.returnId, processId };
        if (run.isReused) return goOn({ returnId, processId });
        const now = rows ? snapshotOf(rows) : await read(returnId);
        return { now, processId, ...(attempt ? { attempt: { ...attempt, gatewayTimeoutSeconds } } : {}) };
      }),

    /**
     * Goes on with a return from any state of its rows: what its creation asked for, and what a crash left half-done. One
     * that is ready, with nothing pending, is only read. See `initialiseReturn`.
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
