import { z } from 'zod';
import { refundWithTotals } from '../../../db/platform/credit-memos/refund-with-totals.ts';
import { readCreditMemo } from '../../../db/platform/credit-memos/read-credit-memos.ts';
import { fieldRequired, invalid } from '../../../domain/errors.ts';
import { isOfflineMethod } from '../../../domain/platform/invoice-refund.ts';
import { methodOfOrder } from '../../../db/platform/orders/method-of-order.ts';
import { route, type RouteContext } from '../../http/route.ts';
import { flag } from '../../wire/schemas.ts';
import { creditMemoAnswer } from './credit-memo-answer.ts';
import { creditMemoPayload, remarkOfMemo, toGivenMemo, type CreditMemoPayload } from './credit-memo-payload.ts';
import type { CreditMemoWiring } from './credit-memo-wiring.ts';
import { refundWithTotalsWords } from './credit-memo-words.ts';
import { renderCreditMemo } from './render-credit-memo.ts';

/**
 * Makes the route that refunds with its caller's figures (platform facts 7.1). When the memo names its invoice and
 * `offlineRequested` is not set, the money goes back through the gateway that took it. Otherwise it is a refund by
 * hand, as on the platform.
 *
 * Of several calls at once one succeeds. With an `Idempotency-Key` a repeat is answered with the memo of the first
 * call.
 *
 * Refused with: 404 unknown order or invoice · 400 as `figuresGiven` says, a memo that exists already · online: 400 the
 * gateway's refusal · 409 `gateway_uncertain`.
 */
export const refundWithTotalsRoute = ({ hooksFor, refundOnline }: CreditMemoWiring) =>
  route({
    ...refundWithTotalsWords,
    method: 'POST',
    path: '/V1/creditmemo/refund',
    acl: 'Platform_Sales::sales_creditmemo',
    commits: 'several',
    body: z.object({ creditmemo: creditMemoPayload, offlineRequested: flag.default(false) }),
    response: creditMemoAnswer,

    async handle(context) {
      const { em, caller, body } = context;
      const { orderId, invoiceId } = checked(body.creditmemo);
      const { incrementId } = body.creditmemo;
      const comment = remarkOfMemo(body.creditmemo);
      const memo = toGivenMemo(body.creditmemo);
      const returnToStockItemIds = body.creditmemo.extensionAttributes?.returnToStockItems ?? [];
      const isOnline = !body.offlineRequested && invoiceId !== undefined && (await isCardOrder(em, orderId));
      const creditMemoId = isOnline
        ? await refundOnline(
            { orderId, invoiceId, figures: { from: 'caller', memo }, returnToStockItemIds, comment },
            context,
          )
        : await byHand(context, {
            ...{ orderId, incrementId, invoiceId, memo, returnToStockItemIds, comment },
            ...hooksFor(caller),
          });
      return renderCreditMemo(await readCreditMemo(em, creditMemoId));
    },
  });

type ByHand = Parameters<typeof refundWithTotals>[1];

async function byHand({ em, operation }: RouteContext, refund: ByHand): Promise<number> {
  // An earlier run of this request stopped after its commit.
  if (operation.madeBefore !== null) return operation.madeBefore;
  return (await refundWithTotals(em, refund, operation.made)).entityId;
}

function checked({ entityId, orderId, invoiceId }: CreditMemoPayload) {
  if (entityId !== undefined && entityId > 0) throw invalid('We cannot register an existing credit memo.');
  if (orderId === undefined) throw fieldRequired('orderId');
  return { orderId, invoiceId: invoiceId === undefined || invoiceId === 0 ? undefined : invoiceId };
}

/** An offline method has no gateway: its memo is booked by hand even for an online refund, as on the platform. */
const isCardOrder = async (em: RouteContext['em'], orderId: number): Promise<boolean> =>
  !isOfflineMethod(await methodOfOrder(em, orderId));
