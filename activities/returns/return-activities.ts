import { openProcessOfReturn } from '../../db/process/open-process-of-return.ts';
import { bookSettlement } from '../../db/returns/book-settlement.ts';
import { cancelRefund } from '../../db/returns/cancel-refund.ts';
import { closeReturn } from '../../db/returns/close-return.ts';
import type { Seen } from '../../db/returns/lock-return.ts';
import { receiveReturn } from '../../db/returns/receive-return.ts';
import { resolveReturn } from '../../db/returns/resolve-return.ts';
import { findReturn } from '../../db/returns/return.repository.ts';
import { setReturnStatus } from '../../db/returns/set-return-status.ts';
import { startGatewaySettlement } from '../../db/returns/start-gateway-settlement.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type {
  NotedRequest,
  ProcessRequest,
  ReceiveRequest,
  ResolveRequest,
  SetStatusRequest,
  SettleRequest,
} from '../../domain/returns/return-requests.ts';
import { activeStoreCredit } from '../../providers/credits/active-store-credit.ts';
import { openWords } from '../../providers/returns/sealed-words.ts';
import type { ActivityDependencies } from '../support/dependencies.ts';
import { orRefused } from '../support/refusals.ts';
import { createCreationActivities } from './creation-activities.ts';
import { returnSteps, type Made, type Step, type To } from './return-steps.ts';

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
