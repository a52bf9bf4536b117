import { outsideName } from '../../db/installation/outside-name.ts';
import { notePassed, noteAsked } from '../../db/process/note-asked.ts';
import { findProcess, type ProcessRecord } from '../../db/process/process.repository.ts';
import { recordTaken } from '../../db/process/record-taken.ts';
import { leaveUnattempted, refuseProcess } from '../../db/process/refuse-process.ts';
import { settleProcess } from '../../db/process/settle-process.ts';
import { startProcessRefund } from '../../db/process/start-process-refund.ts';
import { PosError } from '../../domain/errors.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { methodOfProcess } from '../../domain/returns/collapsed-return.ts';
import { canRefundThrough } from '../../providers/gateways/can-refund-through.ts';
import type { ReturnToTakeOn, TakenOn } from '../../providers/returns/returns-provider.ts';
import { offerToProvider } from '../returns/offer-to-provider.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';

export type ProcessActivities = ReturnType<typeof createProcessActivities>;

interface Run {
  processId: number;
}

export const createProcessActivities = (dependencies: ActivityDependencies) => {
  const { orm, providers, gatewayTimeoutSeconds } = dependencies;
  return {
    /** A run as its workflow sees it, and whom it may be offered to. Reads only. */
    loadProcess: ({ processId }: Run) =>
      orRefused(async () => {
        const run = await findProcess(orm.em.fork(), processId);
        const inOrder = await providers.returns.inOrder(run.storeId);
        return {
          processId,
          orderId: run.orderId,
          state: run.state,
          stage: run.stage,
          isFastTrack: run.isFastTrack,
          method: methodOfProcess(run),
          refusal: run.state === 'open' ? null : run.refusal,
          providerCodes: inOrder.map(({ code }) => code),
          gatewayTimeoutSeconds,
        };
      }),

    /**
     * Offers a run to one provider, and records what came of it before it returns (spec 4.8).
     *
     * Run again after a crash it asks again under the same key, which a provider answers as before; a run that is over
     * is answered as it ended. What a provider throws is a value here: only faults of ours are tried again.
     */
    async offerRun({
      processId,
      providerCode,
    }: Run & { providerCode: string }): Promise<Outcome<{ isTaken: boolean }>> {
      const provider = providers.returns.byCode(providerCode);
      if (!provider) return { isTaken: false };
      const isAsked = await noteAsked(orm.em.fork(), { processId, providerCode });
      const run = await findProcess(orm.em.fork(), processId);
      if (!isAsked) return run.refusal ? { refused: run.refusal } : { isTaken: true };
      const offered = await offerToProvider(dependencies, provider, toTakeOn(run));
      if ('passed' in offered) return { isTaken: false };
      if ('taken' in offered) return record(dependencies, { processId, providerCode, ...offered.taken });
      await refuseProcess(orm.em, { processId, ...offered });
      return { refused: offered.refusal };
    },

    /** Nobody took it. */
    passProcess: async ({ processId }: Run) => {
      const run = await findProcess(orm.em.fork(), processId);
      if (!run.isFastTrack) return notePassed(orm.em.fork(), processId);
      return leaveUnattempted(orm.em, processId);
    },

    /**
     * Memo, credit, goods and the end of the run in one transaction. See `settleProcess`.
     *
     * Run again after a crash it is answered from the row: a refusal that was committed stays one.
     */
    settleProcess: ({ processId }: Run) =>
      orRefused(async () => {
        await settleProcess(orm.em, processId);
        const { state, refusal } = await findProcess(orm.em.fork(), processId);
        if (refusal) throw new PosError(refusal);
        return { state: state === 'unattempted' ? state : ('done' as const) };
      }),

    /** The intent of the run's refund through the gateway, committed before anyone calls it. */
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
  // No name that a caller can choose: `return-17` would be another return's.
  requestKey: outsideName(`process-${run.processId}`, run.nameTail),
  orderIncrementId: run.orderIncrementId,
  storeId: run.storeId,
  lines: run.items,
  ...(run.returnProviderCode === null
    ? {}
    : { existing: { providerCode: run.returnProviderCode, reference: run.returnReference } }),
});

/** A provider took it, but our own books refuse it: then the run is refused, and says so. */
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
