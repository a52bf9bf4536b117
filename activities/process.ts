import { outsideName } from '../db/installation/outside-name.ts';
import { recordTaken } from '../db/process/collapse-return.ts';
import { noteRequest, notePassed } from '../db/process/note-request.ts';
import { openProcess } from '../db/process/open-process.ts';
import { leaveUnattempted, refuseProcess } from '../db/process/process-steps.ts';
import { findProcess, paymentOfOrder, type ProcessRecord } from '../db/process/process.repository.ts';
import { settleProcess, startProcessRefund } from '../db/process/settle-process.ts';
import { noSuchDocument, PosError } from '../domain/errors.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { OpenProcessRequest } from '../domain/returns/return-requests.ts';
import { methodOfProcess } from '../domain/returns/return-status.ts';
import { activeStoreCredit } from '../providers/credits/active-store-credit.ts';
import { canRefundThrough } from '../providers/gateways/payment-gateway.ts';
import type { ReturnToTakeOn, TakenOn } from '../providers/returns.ts';
import { withWords } from '../providers/returns/sealed-words.ts';
import { offerToProvider } from './returns.ts';
import { orRefused, type ActivityDependencies } from './support.ts';

export type ProcessActivities = ReturnType<typeof createProcessActivities>;

interface Run {
  processId: number;
}

export const createProcessActivities = (dependencies: ActivityDependencies) => {
  const { orm, providers, gatewayTimeoutSeconds } = dependencies;
  return {
    /** Writes down a collapsed return before anybody is asked; a repeat is answered by its row. See `openProcess`. */
    openProcess: (request: OpenProcessRequest) =>
      orRefused(async () => {
        const { words, by, items, ...requested } = request;
        const payment = await paymentOfOrder(orm.em.fork(), requested.orderId);
        if (!payment) throw noSuchDocument();
        return openProcess(orm.em, {
          ...{ ...requested, author: by },
          ...withWords(providers.secrets, words, items),
          canRefundThrough: await canRefundThrough(providers.gateways, payment),
          storeCreditIn: await activeStoreCredit({ em: orm.em.fork(), credits: providers.credits }, requested),
        });
      }),

    /** A collapsed return for its workflow, and the providers it may be offered to. Reads only. */
    loadProcess: ({ processId }: Run) =>
      orRefused(async () => {
        const run = await findProcess(orm.em.fork(), processId);
        const inOrder = await providers.returns.inOrder(run.storeId);
        return {
          processId,
          orderId: run.orderId,
          state: run.state,
          stage: run.stage,
          returnId: run.returnId,
          isFastTrack: run.isFastTrack,
          method: methodOfProcess(run),
          refusal: run.state === 'open' ? null : run.refusal,
          providerCodes: inOrder.map(({ code }) => code),
          gatewayTimeoutSeconds,
        };
      }),

    /**
     * Offers a collapsed return to one provider, and records the answer before it returns (spec 4.8).
     *
     * Repeated after a crash, it asks again under the same key, and the provider gives the same answer; a finished
     * one is answered as it ended. Errors of a provider become values: only our own faults are retried.
     */
    async offerRun({
      processId,
      providerCode,
    }: Run & { providerCode: string }): Promise<Outcome<{ isTaken: boolean }>> {
      const provider = providers.returns.byCode(providerCode);
      if (!provider) return { isTaken: false };
      const isRequested = await noteRequest(orm.em.fork(), { processId, providerCode });
      const run = await findProcess(orm.em.fork(), processId);
      if (!isRequested) return run.refusal ? { refused: run.refusal } : { isTaken: true };
      const offered = await offerToProvider(dependencies, provider, toTakeOn(run));
      if ('passed' in offered) return { isTaken: false };
      if ('taken' in offered) return record(dependencies, { processId, providerCode, ...offered.taken });
      await refuseProcess(orm.em, { processId, ...offered });
      return { refused: offered.refusal };
    },

    /** No provider took it. */
    passProcess: async ({ processId }: Run) => {
      const run = await findProcess(orm.em.fork(), processId);
      if (!run.isFastTrack) return notePassed(orm.em.fork(), processId);
      return leaveUnattempted(orm.em, processId);
    },

    /**
     * Memo, credit, goods and end state in one transaction. See `settleProcess`.
     *
     * Repeated after a crash, it answers from the row: a committed refusal stays a refusal.
     */
    settleProcess: ({ processId }: Run) =>
      orRefused(async () => {
        await settleProcess(orm.em, processId);
        const { state, refusal } = await findProcess(orm.em.fork(), processId);
        if (refusal) throw new PosError(refusal);
        return { state: state === 'unattempted' ? state : ('done' as const) };
      }),

    /** The intent of the gateway refund of a collapsed return, committed before the gateway is called. */
    startProcessRefund: ({ processId }: Run) =>
      orRefused(async () => {
        const run = await findProcess(orm.em.fork(), processId);
        const started = await startProcessRefund(orm.em, {
          processId,
          canRefundThrough: await canRefundThrough(providers.gateways, run),
        });
        return { ...started, returnId: run.returnId };
      }),
  };
};

const toTakeOn = (run: ProcessRecord): ReturnToTakeOn => ({
  // The name cannot collide with one that a caller chose: `return-17` would be another return's.
  requestKey: outsideName(`process-${run.processId}`, run.nameTail),
  orderIncrementId: run.orderIncrementId,
  storeId: run.storeId,
  lines: run.items,
  ...(run.returnProviderCode === null
    ? {}
    : { existing: { providerCode: run.returnProviderCode, reference: run.returnReference } }),
});

/** A provider took it, but our own booking is refused: then the collapsed return is refused, too. */
async function record(
  { orm }: Pick<ActivityDependencies, 'orm'>,
  taken: TakenOn & { processId: number; providerCode: string },
): Promise<Outcome<{ isTaken: boolean }>> {
  try {
    await recordTaken(orm.em, taken);
    return { isTaken: true };
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    const { processId } = taken;
    await refuseProcess(orm.em, { processId, state: 'refused', refusal: error.refusal });
    return { refused: error.refusal };
  }
}
