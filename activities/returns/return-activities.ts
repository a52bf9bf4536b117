import { bookSettlement, type Settlement } from '../../db/returns/book-settlement.ts';
import { initialiseReturn } from '../../db/returns/initialise-return.ts';
import { findReturn } from '../../db/returns/return.repository.ts';
import { startGatewaySettlement } from '../../db/returns/start-gateway-settlement.ts';
import type { SettlementOptions } from '../../domain/refunds/quote-refund.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { paymentOfReturn } from '../../db/returns/payment-of-return.ts';
import { orRefused } from '../support/refusals.ts';
import { snapshotOf } from './return-snapshot.ts';

export type ReturnActivities = ReturnType<typeof createReturnActivities>;

export const createReturnActivities = ({ orm, providers, gatewayTimeoutSeconds }: ActivityDependencies) => {
  /** Which gateway is there is found out before the transaction: nothing is read from outside while locks are held. */
  const gatewayCheck = async (returnId: number) => {
    const payment = await paymentOfReturn(orm.em.fork(), returnId);
    const gateway = await providers.gateways.for(payment);
    return (method: string) => method === payment.paymentMethod && gateway !== undefined;
  };

  return {
    /** A return as its workflow sees it. Reads only. */
    loadReturn: ({ returnId }: { returnId: number }) =>
      orRefused(async () => ({ ...snapshotOf(await findReturn(orm.em.fork(), returnId)), gatewayTimeoutSeconds })),

    /** Approves, receives, then parks or opens the refund; idempotent by the rows. See `initialiseReturn`. */
    initialiseReturn: ({ returnId }: { returnId: number }) =>
      orRefused(async () => ({
        ...(await initialiseReturn(orm.em, { returnId, canRefundThrough: await gatewayCheck(returnId) })),
        gatewayTimeoutSeconds,
      })),

    /** Memo, legs, transaction row and status in one transaction; a closed return is answered. See `bookSettlement`. */
    bookSettlement: (settlement: Settlement) => orRefused(() => bookSettlement(orm.em, settlement)),

    /** The intent of a refund through the gateway, committed before anyone calls it. */
    openRefundAttempt: ({ returnId, options }: { returnId: number; options: SettlementOptions }) =>
      orRefused(async () => ({
        ...(await startGatewaySettlement(orm.em, {
          returnId,
          options,
          canRefundThrough: await gatewayCheck(returnId),
        })),
        gatewayTimeoutSeconds,
      })),
  };
};
