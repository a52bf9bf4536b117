import { z } from 'zod';
import { refundInvoice } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { orderOfInvoice } from '../../../db/platform/invoices/lock-invoice.ts';
import { madeWithMail } from '../../http/made-with-mail.ts';
import { route } from '../../http/route.ts';
import { flag, idParam } from '../../wire/schemas.ts';
import { onlineOutcomes } from './refund-outcomes.ts';
import { refundPayload, toRefund } from './refund-payload.ts';
import { cardNumber } from '../../wire/outcomes.ts';
import type { CreditMemoWiring } from './credit-memo-wiring.ts';

/**
 * Makes the route that refunds one invoice. `hooksFor` makes what other features do in the same transaction, and reads
 * what returns brought back. `refundOnline` has the gateway called.
 *
 * Refunds the named lines of an invoice, or everything that is left (platform facts 7.1). Body and answer are those of
 * the order's refund. With `isOnline` the gateway that took the money is called once; the memo is booked when the money
 * went back.
 *
 * Refused with: 404 unknown invoice · 400 an invoice that is not paid or was refunded, a payment method without refunds
 * · 400 as the order's refund · online: 400 no gateway, or its refusal · 409 `gateway_uncertain`.
 *
 * @returns the credit memo's id
 */
export const refundInvoiceRoute = ({ hooksFor, refundOnline, mailDocument }: CreditMemoWiring) =>
  route({
    method: 'POST',
    path: '/V1/invoice/:invoiceId/refund',
    acl: 'Platform_Sales::sales_invoice',
    summary: 'Refund an invoice',
    commits: 'several',
    name: 'refundInvoice',
    description: `Refunds one paid invoice: everything of it that is left when no lines are named. Answers the memo’s id.
      With \`isOnline\` the gateway that took the money is asked, once, and the memo is booked when it gave it back.`,
    outcomes: [
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
      ...onlineOutcomes,
      cardNumber,
    ],
    params: z.object({ invoiceId: idParam }),
    body: z.object({ ...refundPayload, isOnline: flag.default(false) }),
    response: z.int(),

    async handle(context) {
      const { em, caller, operation, params, body } = context;
      const { invoiceId } = params;
      const refund = toRefund(body);
      const wanted = { document: 'creditmemo', notify: body.notify, mailDocument } as const;
      if (!body.isOnline) {
        if (operation.madeBefore !== null) return operation.madeBefore;
        return madeWithMail(wanted, context, (tx) =>
          refundInvoice(tx, { invoiceId, ...refund, ...hooksFor(caller), noted: operation.made }),
        );
      }
      const { returnToStockItemIds, comment, ...figures } = refund;
      const orderId = await orderOfInvoice(em, invoiceId);
      const memoId = await refundOnline(
        { orderId, invoiceId, figures: { from: 'collectors', ...figures }, returnToStockItemIds, comment },
        context,
      );
      // The money is back already: a repeat with the same key finds the memo, and posts the mail if it is missing.
      return madeWithMail(wanted, context, async () => memoId);
    },
  });
