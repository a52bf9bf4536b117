import { z } from 'zod';
import { readInvoice } from '../../../db/platform/invoices/read-invoices.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { invoiceAnswer } from './invoice-answer.ts';
import { renderInvoice } from './render-invoice.ts';

/** One invoice with its lines (platform facts 6). */
export const getInvoice = route({
  method: 'GET',
  path: '/V1/invoices/:id',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'One invoice',
  name: 'getInvoice',
  description: 'With its lines and comments.',
  outcomes: [
    {
      status: 404,
      message: "The entity that was requested doesn't exist. Verify the entity and try again.",
      when: 'There is no invoice of this id.',
    },
  ],
  params: z.object({ id: idParam }),
  response: invoiceAnswer,

  handle: async ({ em, params: { id } }) => renderInvoice(await readInvoice(em, id)),
});
