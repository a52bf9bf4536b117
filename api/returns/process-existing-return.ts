import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { openProcessOfReturn } from '../../db/process/open-process-of-return.ts';
import { CreditMemo } from '../../db/platform/credit-memos/credit-memo.entity.ts';
import { paymentOfReturn } from '../../db/returns/payment-of-return.ts';
import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { processResolutions } from '../../domain/returns/collapsed-return.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { canRefundThrough } from '../../providers/gateways/can-refund-through.ts';
import { processUpdate } from '../../workflows/returns/messages.ts';
import { route, type RouteContext } from '../http/route.ts';
import { flag, idParam, payload } from '../wire/schemas.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { activeStoreCredit } from './active-store-credit.ts';
import { askReturn } from './ask-return.ts';
import { endOfProcess } from './end-of-process.ts';
import { processAnswer, renderProcess } from './render-process.ts';
import { unknownReturn, gatewayRefused, returnNotReady, gatewayUncertain } from './return-outcomes.ts';
import { workflowsAway, stillGoing } from '../wire/outcomes.ts';

/** Finishes an existing return in one call, from any status: approved, received, refunded (spec 4.8). */
export const processExistingReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/process',
  acl: 'Vendor_Pos::locations',
  summary: 'Take an existing return through to its end',
  name: 'processExistingReturn',
  description: `Approves, receives and refunds a return from wherever it stands. Where no provider attempts it, the
    answer is 200 with \`success\` false. A return that is over is answered with what it came to; a run under way is
    joined.`,
  outcomes: [
    unknownReturn,
    {
      status: 400,
      message: 'No provider is installed for credit type %1.',
      when: 'Resolution `store_credit`, and this shop has no store credit.',
    },
    gatewayRefused,
    returnNotReady,
    gatewayUncertain,
    workflowsAway,
    stillGoing,
  ],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ resolution: z.enum(processResolutions), isOnline: flag.default(false) }),
  response: processAnswer,

  async handle(request) {
    const { params, body, em, caller, providers } = request;
    const rma = await findReturn(em, params.rmaId);
    const payment = await paymentOfReturn(em, rma.returnId);
    const { processId } = await openProcessOfReturn(em, {
      returnId: rma.returnId,
      requestKey: randomUUID(),
      ...body,
      author: caller.name,
      canRefundThrough: await canRefundThrough(providers.gateways, payment),
      storeCreditIn: await activeStoreCredit(request, { orderId: rma.orderId, resolution: body.resolution }),
    });
    if (isTerminal(rma.status)) markReplayed(request);
    if (processId === null) return ended(em, await findReturn(em, rma.returnId), payment.paymentMethod);
    const ask = async () =>
      isTerminal(rma.status) ||
      askReturn(request, {
        rma,
        update: processUpdate,
        request: { processId },
        isDone: ({ status }) => isTerminal(status),
      });
    return renderProcess(await endOfProcess(request, { processId, ask }));
  },
});

/** A return that another verb ended: with a memo it is done, without one nothing is refunded. */
async function ended(em: RouteContext['em'], rma: ReturnRecord, paymentMethod: string) {
  const memo = rma.creditMemoId === null ? null : await em.findOne(CreditMemo, { entityId: rma.creditMemoId });
  return renderEnded(rma, { paymentMethod, isOnline: memo?.isOnline ?? false });
}

const renderEnded = (
  rma: ReturnRecord,
  { paymentMethod, isOnline }: { paymentMethod: string; isOnline: boolean },
): z.input<typeof processAnswer> => ({
  success: rma.creditMemoId !== null,
  error: rma.creditMemoId === null ? `Return ${rma.incrementId} is ${rma.status}; no money goes back.` : null,
  rma_id: rma.returnId,
  rma_increment_id: rma.incrementId,
  credit_memo_id: rma.creditMemoId,
  credit_memo_increment_id: rma.creditMemoIncrementId,
  refund_total: rma.refundTotal ?? 0,
  store_credit_issued: 0,
  exchange_credit_amount: 0,
  is_online_refund: isOnline,
  payment_method: paymentMethod || null,
  transaction_id: rma.transactionId,
});
