import { z } from 'zod';
import { refundOrder, type RefundHooks } from '../../../db/platform/credit-memos/refund-order.ts';
import { route, type Caller } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { refundPayload, toRefund } from './refund-payload.ts';

/**
 * Makes the route that refunds; `hooksFor` makes what others do in the same transaction, and tell of goods that came back.
 *
 * Refunds an order by hand: everything that is left when no lines are named (platform facts 7.1).
 *
 * Amounts come in the base currency, ex tax. Without `shipping_amount` all shipping left comes back; zero keeps it. Goods
 * in `return_to_stock_items` may be sold again, others are written off. A repeat refunds again as long as something is
 * left.
 *
 * Refused with: 404 unknown order · 400 a quantity or a shipping amount beyond what is left · 400
 * `Creditmemo Document Validation Error(s):`.
 *
 * @returns the credit memo's id
 */
export const refundOrderRoute = (hooksFor: (caller: Caller) => RefundHooks) =>
  route({
    method: 'POST',
    path: '/V1/order/:orderId/refund',
    acl: 'Platform_Sales::creditmemo',
    summary: 'Refund an order by hand',
    params: z.object({ orderId: idParam }),
    body: z.object(refundPayload),
    response: z.int(),

    handle: ({ em, params: { orderId }, body, caller }) =>
      refundOrder(em, { orderId, ...toRefund(body), ...hooksFor(caller) }),
  });
