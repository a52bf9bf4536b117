import { z } from 'zod';
import { payInvoice } from '../../../db/platform/invoices/pay-invoice.ts';
import { route } from '../../support/route.ts';
import { idParam } from '../../support/schemas.ts';

/**
 * Pays an open invoice: how a register settles a layaway (platform facts 6, 12.4).
 *
 * A second time is refused. Refused with: 404 unknown invoice · 400 an invoice that is paid or cancelled.
 */
export const captureInvoice = route({
  method: 'POST',
  path: '/V1/invoices/:id/capture',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'Pay an open invoice',
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle({ em, params: { id } }) {
    await payInvoice(em, id);
    return true as const;
  },
});
