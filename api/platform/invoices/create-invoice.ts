import { z } from 'zod';
import { createInvoice } from '../../../db/platform/invoices/create-invoice.ts';
import { documentArguments, remarkOf } from '../../wire/document-payload.ts';
import { route } from '../../http/route.ts';
import { flag, idParam } from '../../wire/schemas.ts';

/**
 * Invoices goods of an order, all that is left when none are named. The invoice is paid at once, whatever `capture`
 * says (platform facts 6).
 *
 * What is invoiced is not left, so a repeat is refused. Refused with: 404 unknown order · 400
 * `Invoice Document Validation Error(s):` · 400 too many of a line.
 *
 * @returns the invoice's id
 */
export const createInvoiceRoute = route({
  method: 'POST',
  path: '/V1/order/:orderId/invoice',
  acl: 'Platform_Sales::invoice',
  summary: 'Invoice an order',
  params: z.object({ orderId: idParam }),
  body: z.object({ ...documentArguments, capture: flag.default(false), arguments: z.unknown().optional() }),
  response: z.int(),

  handle({ em, params: { orderId }, body }) {
    const comment = remarkOf(body);
    return createInvoice(em, { orderId, items: body.items, ...(comment ? { comment } : {}) });
  },
});
