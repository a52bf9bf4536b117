import { bookSettlement, type Settlement } from '../../db/returns/book-settlement.ts';
import { cancelRefund } from '../../db/returns/cancel-refund.ts';
import { closeReturn } from '../../db/returns/close-return.ts';
import { initialiseReturn, type Initialised } from '../../db/returns/initialise-return.ts';
import { receiveReturn, type Receiving } from '../../db/returns/receive-return.ts';
import { resolveReturn } from '../../db/returns/resolve-return.ts';
import { findReturn } from '../../db/returns/return.repository.ts';
import { setReturnStatus, type StatusByHand } from '../../db/returns/set-return-status.ts';
import { startGatewaySettlement } from '../../db/returns/start-gateway-settlement.ts';
import type { ExpectedLeg, SettlementOptions, ToldReference } from '../../domain/refunds/quote-refund.ts';
import type { LineResolution } from '../../domain/returns/resolution.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { paymentOfReturn } from '../../db/returns/payment-of-return.ts';
import { canRefundThrough } from '../../providers/gateways/can-refund-through.ts';
import { orRefused } from '../support/refusals.ts';
import { snapshotOf } from './return-snapshot.ts';

export type ReturnActivities = ReturnType<typeof createReturnActivities>;

export const createReturnActivities = ({ orm, providers, gatewayTimeoutSeconds }: ActivityDependencies) => {
  /** Which gateway is there is found out before the transaction: nothing is read from outside while locks are held. */
  const gatewayCheck = async (returnId: number) =>
    canRefundThrough(providers.gateways, await paymentOfReturn(orm.em.fork(), returnId));

  return {
    /** A return as its workflow sees it. Reads only. */
    loadReturn: ({ returnId }: { returnId: number }) =>
      orRefused(async () => ({ ...snapshotOf(await findReturn(orm.em.fork(), returnId)), gatewayTimeoutSeconds })),

    /**
     * Approves, receives, then parks or opens the refund; idempotent by the rows. See `initialiseReturn`.
     *
     * A return that is ready and quiet has nothing to be done, so nothing is locked to say where it stands: whatever is
     * asked of it next looks again, under its lock.
     */
    initialiseReturn: ({ returnId }: { returnId: number }) =>
      orRefused(async (): Promise<Initialised & { gatewayTimeoutSeconds: number }> => {
        const payment = await paymentOfReturn(orm.em.fork(), returnId);
        if (payment.quiet) return { ...payment.quiet, gatewayTimeoutSeconds };
        const canRefund = await canRefundThrough(providers.gateways, payment);
        const begun = await initialiseReturn(orm.em, { returnId, canRefundThrough: canRefund });
        return { ...begun, gatewayTimeoutSeconds };
      }),

    /** Memo, legs, transaction row and status in one transaction; a closed return is answered. See `bookSettlement`. */
    bookSettlement: (settlement: Settlement) => orRefused(() => bookSettlement(orm.em, settlement)),

    /** The intent of a refund through the gateway, committed before anyone calls it; none where all of it is credit. */
    openRefundAttempt: ({ returnId, ...asked }: RefundToOpen) =>
      orRefused(async () => ({
        ...(await startGatewaySettlement(orm.em, {
          returnId,
          ...asked,
          canRefundThrough: await gatewayCheck(returnId),
        })),
        gatewayTimeoutSeconds,
      })),

    /** A status by hand, where the table has the move. See `setReturnStatus`. */
    setReturnStatus: (wanted: StatusByHand) => orRefused(() => setReturnStatus(orm.em, wanted)),

    /** The goods of an approved return, each where its condition sends it. See `receiveReturn`. */
    receiveReturn: (receiving: Receiving) => orRefused(() => receiveReturn(orm.em, receiving)),

    /** Every line decided, and the money of those that say how; or the intent of its refund. See `resolveReturn`. */
    resolveReturn: ({ returnId, resolutions }: { returnId: number; resolutions: LineResolution[] }) =>
      orRefused(async () => ({
        ...(await resolveReturn(orm.em, {
          returnId,
          resolutions,
          canRefundThrough: await gatewayCheck(returnId),
        })),
        gatewayTimeoutSeconds,
      })),

    /** The goods stay, the money is left for later. See `cancelRefund`. */
    cancelRefund: (asked: NotedVerb) => orRefused(() => cancelRefund(orm.em, asked)),

    /** The goods go back out, no money moves. See `closeReturn`. */
    closeReturn: (asked: NotedVerb) => orRefused(() => closeReturn(orm.em, asked)),
  };
};

interface RefundToOpen {
  returnId: number;
  options: SettlementOptions;
  /** Absent where the register sent none, and in histories of before; so below. */
  told?: ToldReference;
  expectedLegs?: readonly ExpectedLeg[];
}

/** A verb with what a person wrote beside it, by id: the text stays in the database. */
interface NotedVerb {
  returnId: number;
  noteId: number | null;
}
