import { z } from 'zod';
import { refundInvoice } from '../../../db/platform/credit-memos/refund-invoice.ts';
import type { RefundHooks } from '../../../db/platform/credit-memos/refund-order.ts';
import { invalid } from '../../../domain/errors.ts';
import { route, type Caller } from '../../http/route.ts';
import { flag, idParam } from '../../wire/schemas.ts';
import { refundPayload, toRefund } from './refund-payload.ts';
import { cardNumber } from '../../wire/outcomes.ts';

/**
 * Makes the route that refunds one invoice; `hooksFor` makes what others do in the same transaction, and tell of goods
 * that came back.
 *
 * Refunds an invoice by hand: everything of it that is left when no lines are named (platform facts 7.1).
 */
export const refundInvoiceRoute = (hooksFor: (caller: Caller) => RefundHooks) =>
  route({
    method: 'POST',
    path: '/V1/invoice/:invoiceId/refund',
    acl: 'Platform_Sales::sales_invoice',
    summary: 'Refund an invoice by hand',
    name: 'refundInvoice',
    description: 'By hand, of one paid invoice; otherwise as the refund of an order. Answers the memo’s id.',
    outcomes: [
      {
        status: 404,
        message: "The entity that was requested doesn't exist. Verify the entity and try again.",
        when: 'There is no invoice of this id.',
      },
      {
        status: 400,
        message: 'An invoice is refunded by hand here. Through its gateway: POST /V1/pos/rma/process with isOnline.',
        when: '`isOnline` is true.',
      },
      {
        status: 400,
        message: 'We found an invalid quantity to refund item "%1".',
        when: 'More of a line than is left.',
      },
      {
        status: 400,
        message: 'Creditmemo Document Validation Error(s):\n…',
        when: 'The invoice is not paid, was refunded, or its payment method knows no refund. Each fault is a line of the sentence.',
        then: 'Read the order again.',
      },
      cardNumber,
    ],
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
