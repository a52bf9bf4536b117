import { z } from 'zod';
import { refundInvoice } from '../../../db/platform/credit-memos/refund-invoice.ts';
import type { RefundHooks } from '../../../db/platform/credit-memos/refund-order.ts';
import { invalid } from '../../../domain/errors.ts';
import { route, type Caller } from '../../http/route.ts';
import { flag, idParam } from '../../wire/schemas.ts';
import { refundPayload, toRefund } from './refund-payload.ts';

/**
 * Makes the route that refunds one invoice; `hooksFor` makes what others do in the same transaction, and tell of goods that
 * came back.
 *
 * Refunds an invoice by hand: everything of it that is left when no lines are named (platform facts 7.1). Body and answer
 * are those of the order's refund. With `isOnline` it is refused (our choice): a gateway is asked by the collapsed
 * processing of returns, which knows what to do when it does not answer.
 *
 * Refused with: 404 unknown invoice · 400 `isOnline`, an invoice that is not paid or was refunded, one whose payment
 * method knows no refund · 400 as the order's refund.
 *
 * @returns the credit memo's id
 */
export const refundInvoiceRoute = (hooksFor: (caller: Caller) => RefundHooks) =>
  route({
    method: 'POST',
    path: '/V1/invoice/:invoiceId/refund',
    acl: 'Platform_Sales::sales_invoice',
    summary: 'Refund an invoice by hand',
    params: z.object({ invoiceId: idParam }),
    body: z.object({ ...refundPayload, isOnline: flag.default(false) }),
    response: z.int(),

    handle({ em, params: { invoiceId }, body, caller }) {
      if (body.isOnline)
        throw invalid(
          'An invoice is refunded by hand here. Through its gateway: POST /V1/pos/rma/process with isOnline.',
        );
      return refundInvoice(em, { invoiceId, ...toRefund(body), ...hooksFor(caller) });
    },
  });
