import { z } from 'zod';
import { createInvoice } from '../../../db/platform/invoices/create-invoice.ts';
import { documentArguments, remarkOf } from '../../wire/document-payload.ts';
import { madeWithMail } from '../../http/made-with-mail.ts';
import type { MailDocument } from '../../http/mail-document-route.ts';
import { route } from '../../http/route.ts';
import { flag, idParam } from '../../wire/schemas.ts';
import { cardNumber, couldNotSave, unknownOrder } from '../../wire/outcomes.ts';

const fault = couldNotSave('an invoice');

/** Makes the route that invoices named goods of an order, or everything that is left (platform facts 6). */
export const createInvoiceRoute = (mailDocument: MailDocument) =>
  route({
    method: 'POST',
    path: '/V1/order/:orderId/invoice',
    acl: 'Platform_Sales::invoice',
    summary: 'Invoice an order',
    name: 'invoiceOrder',
    description: `Invoices the lines that are named, or all that is left. The invoice is paid at once, whatever
    \`capture\` says. Answers its id. What is invoiced is not left, so a repeat is refused.`,
    outcomes: [
      unknownOrder,
      {
        status: 400,
        message: 'Invoice Document Validation Error(s):\n…',
        when: 'Nothing is left to invoice, or the order’s state does not allow it. Each fault is a line of the sentence.',
        then: 'Read the order again.',
      },
      {
        status: 400,
        message: 'We found an invalid quantity to invoice item "%1".',
        when: 'More of a line than is left.',
      },
      cardNumber,
      fault,
    ],
    fault,
    params: z.object({ orderId: idParam }),
    body: z.object({ ...documentArguments, capture: flag.default(false), arguments: z.unknown().optional() }),
    response: z.int(),

    handle(context) {
      const {
        params: { orderId },
        body: { items, notify, ...body },
      } = context;
      const comment = remarkOf({ ...body, notify });
      return madeWithMail({ document: 'invoice', notify, mailDocument }, context, (em) =>
        createInvoice(em, { orderId, items, ...(comment ? { comment } : {}) }),
      );
    },
  });
