import { z } from 'zod';
import { payInvoice } from '../../../db/platform/invoices/pay-invoice.ts';
import { route, type RouteContext } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { orderIsOver } from '../../wire/outcomes.ts';

/** What other features do when an invoice is paid and the transaction has ended. Never fails. */
export type AfterInvoiceSave = (
  orderId: number,
  around: Pick<RouteContext, 'em' | 'workflows' | 'log'>,
) => Promise<void>;

/**
 * Makes the route that pays an open invoice; `afterSave` runs after the transaction.
 *
 * This is how a register settles a layaway (platform facts 6, 12.4).
 */
export const captureInvoice = (afterSave: AfterInvoiceSave) =>
  route({
    method: 'POST',
    path: '/V1/invoices/:id/capture',
    acl: 'Platform_Sales::sales_invoice',
    summary: 'Pay an open invoice',
    name: 'captureInvoice',
    description: 'Pays an open invoice: the last step of a layaway. A second time is refused.',
    outcomes: [
      {
        status: 404,
        message: "The entity that was requested doesn't exist. Verify the entity and try again.",
        when: 'There is no invoice of this id.',
      },
      { status: 400, message: 'The capture action is not available.', when: 'It is paid or cancelled.' },
      {
        status: 400,
        message: 'The layaway still owes %1. Take its payments first: its invoice is paid when nothing is owed.',
        when: 'Payments are missing.',
        then: 'Take them by `POST /V1/pos/layaways/{orderId}/payments`.',
      },
      orderIsOver,
    ],
    params: z.object({ id: idParam }),
    response: z.literal(true),

    async handle({ em, params: { id }, workflows, log }) {
      await afterSave(await payInvoice(em, id), { em, workflows, log });
      return true as const;
    },
  });
