import { z } from 'zod';
import { collectDuePayment } from '../../db/orders/collect-due-payment.ts';
import { fieldRequired } from '../../domain/errors.ts';
import { toWire } from '../../domain/money/amount.ts';
import { movedMoney } from '../wire/moved-money.ts';
import { route } from '../http/route.ts';
import { idParam, text } from '../wire/schemas.ts';
import { tellReplay } from '../http/tell-replay.ts';

const duePaymentAnswer = z
  .object({
    order_id: z.int(),
    order_increment_id: z.string(),
    reference: z.string(),
    amount: z.number(),
    is_replay: z.boolean(),
    remaining_due: z.number(),
    paid_total: z.number(),
    total_due: z.number(),
    is_invoice_paid: z.boolean(),
  })
  .meta({ id: 'DuePayment' });

/**
 * Collects credit that is due on an order (spec 4.6), in the order's currency; part of it will do.
 *
 * A reference the order has already is answered with its first booking, `is_replay` true, and books nothing. Refused with:
 * 404 unknown order · 400 no reference, one that a layaway payment has, an amount that is not above zero or above what is
 * due.
 */
export const collectDuePaymentRoute = route({
  method: 'POST',
  path: '/V1/pos/orders/:orderId/due-payments',
  acl: 'Vendor_Pos::locations',
  summary: 'Collect credit that is due on an order',
  params: z.object({ orderId: idParam }),
  body: z.object({ reference: text(255).optional(), amount: movedMoney }),
  response: duePaymentAnswer,

  async handle({ em, params: { orderId }, body: { reference, amount }, setHeader }) {
    if (reference === undefined) throw fieldRequired('reference');
    const booked = await collectDuePayment(em, { orderId, reference, amount });
    if (booked.isReplay) tellReplay({ setHeader });
    return {
      order_id: booked.orderId,
      order_increment_id: booked.incrementId,
      reference: booked.reference,
      amount: toWire(booked.amount),
      is_replay: booked.isReplay,
      remaining_due: toWire(booked.remainingDue),
      paid_total: toWire(booked.paidTotal),
      total_due: toWire(booked.totalDue),
      is_invoice_paid: booked.isInvoicePaid,
    };
  },
});
