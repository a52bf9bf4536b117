import { z } from 'zod';
import { orderOfInvoice } from '../../../db/platform/invoices/lock-invoice.ts';
import { invalid } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';

/**
 * Always refused: no payment here is only authorised, so no invoice can be voided. An unknown invoice is a 404
 * (platform facts 2.4).
 */
export const voidInvoice = route({
  name: 'voidInvoice',
  method: 'POST',
  path: '/V1/invoices/:id/void',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'Void an invoice (always refused)',
  description:
    'A void gives an authorised payment up before it is captured. No payment method here authorises first, so there is ' +
    'nothing to void, and `can_void_flag` of every invoice is 0. Nothing changes, however often it is sent.',
  outcomes: [
    {
      status: 404,
      message: "The entity that was requested doesn't exist. Verify the entity and try again.",
      when: 'No invoice has this id.',
    },
    {
      status: 400,
      message: 'The void action is not available.',
      when: 'Always.',
      then: 'Cancel an open invoice by `POST /V1/invoices` with `state` 3, or refund a paid one.',
    },
  ],
  examples: [{ title: 'Refused', params: { id: 7 }, response: true }],
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle({ em, params: { id } }) {
    await orderOfInvoice(em, id);
    throw invalid('The void action is not available.');
  },
});
