import { z } from 'zod';
import { payInvoice } from '../../../db/platform/invoices/pay-invoice.ts';
import { route, type Surroundings } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';

/** What others want to happen once an invoice is paid and the transaction is over. Never fails. */
export type AfterInvoiceSave = (
  orderId: number,
  around: Pick<Surroundings, 'em' | 'workflows' | 'log'>,
) => Promise<void>;

/**
 * Makes the route that pays; `afterSave` happens when it is done.
 *
 * Pays an open invoice: how a register settles a layaway (platform facts 6, 12.4).
 *
 * A second time is refused. Refused with: 404 unknown invoice · 400 an invoice that is paid or cancelled.
 */
export const captureInvoice = (afterSave: AfterInvoiceSave) =>
  route({
    method: 'POST',
    path: '/V1/invoices/:id/capture',
    acl: 'Platform_Sales::sales_invoice',
    summary: 'Pay an open invoice',
    params: z.object({ id: idParam }),
    response: z.literal(true),

    async handle({ em, params: { id }, workflows, log }) {
      await afterSave(await payInvoice(em, id), { em, workflows, log });
      return true as const;
    },
  });
