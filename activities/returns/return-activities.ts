import { bookSettlement, type Settlement } from '../../db/returns/book-settlement.ts';
import { cancelRefund } from '../../db/returns/cancel-refund.ts';
import { closeReturn } from '../../db/returns/close-return.ts';
import { initialiseReturn, type Initialised } from '../../db/returns/initialise-return.ts';
import { receiveReturn, type Receiving } from '../../db/returns/receive-return.ts';
import { resolveReturn } from '../../db/returns/resolve-return.ts';
import { findReturn } from '../../db/returns/return.repository.ts';
import { setReturnStatus, type StatusByHand } from '../../db/returns/set-return-status.ts';
import { startGatewaySettlement } from '../../db/returns/start-gateway-settlement.ts';
import type { ExpectedLeg, SettlementOptions, RegisterReference } from '../../domain/refunds/quote-refund.ts';
import type { LineResolution } from '../../domain/returns/resolution.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { paymentOfReturn } from '../../db/returns/payment-of-return.ts';
import { canRefundThrough } from '../../providers/gateways/can-refund-through.ts';
import { orRefused } from '../support/refusals.ts';
import { snapshotOf } from './return-snapshot.ts';

export type ReturnActivities = ReturnType<typeof createReturnActivities>;

export const createReturnActivities = ({ orm, providers, gatewayTimeoutSeconds }: ActivityDependencies) => {
  /** The gateway is determined before the transaction: no outside read happens while locks are held. */
  const gatewayCheck = async (returnId: number) =>
    canRefundThrough(providers.gateways, await paymentOfReturn(orm.em.fork(), returnId));

  return {
    /** A return for its workflow. Reads only. */
    loadReturn: ({ returnId }: { returnId: number }) =>
      orRefused(async () => ({ ...snapshotOf(await findReturn(orm.em.fork(), returnId)), gatewayTimeoutSeconds })),

    /**
     * Approves, receives, then parks or opens the refund; idempotent by the rows. See `initialiseReturn`.
     *
     * For a return that is ready, with nothing pending, no lock is taken: the next request reads it again under its
     * lock.
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

    /** The intent of a gateway refund, committed before the gateway is called; none where credit covers everything. */
    openRefundAttempt: ({ returnId, ...asked }: RefundToOpen) =>
      orRefused(async () => ({
        ...(await startGatewaySettlement(orm.em, {
          returnId,
          ...asked,
          canRefundThrough: await gatewayCheck(returnId),
        })),
        gatewayTimeoutSeconds,
      })),

    /** Sets a status by hand, where the table permits the move. See `setReturnStatus`. */
    setReturnStatus: (wanted: StatusByHand) => orRefused(() => setReturnStatus(orm.em, wanted)),

    /** Receives the goods of an approved return; the condition decides where each goes. See `receiveReturn`. */
    receiveReturn: (receiving: Receiving) => orRefused(() => receiveReturn(orm.em, receiving)),

    /**
     * Decides every line, and gives money back for lines with a method, or opens the intent of their refund. See
     * `resolveReturn`.
     */
    resolveReturn: ({ returnId, resolutions }: { returnId: number; resolutions: LineResolution[] }) =>
      orRefused(async () => ({
        ...(await resolveReturn(orm.em, {
          returnId,
          resolutions,
          canRefundThrough: await gatewayCheck(returnId),
        })),
        gatewayTimeoutSeconds,
      })),

    /** The goods stay and the refund is cancelled. See `cancelRefund`. */
    cancelRefund: (asked: NotedVerb) => orRefused(() => cancelRefund(orm.em, asked)),

    /** The goods go back to the buyer; no money moves. See `closeReturn`. */
    closeReturn: (asked: NotedVerb) => orRefused(() => closeReturn(orm.em, asked)),
  };
};

interface RefundToOpen {
  returnId: number;
  options: SettlementOptions;
  /** Absent where the register sent none, and in older histories; so below. */
  reported?: RegisterReference;
  expectedLegs?: readonly ExpectedLeg[];
}

/** A verb with a person's comment, by its id: the text stays in the database. */
interface NotedVerb {
  returnId: number;
  noteId: number | null;
}
