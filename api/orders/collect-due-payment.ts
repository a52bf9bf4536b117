import { z } from 'zod';
import { collectDuePayment } from '../../db/orders/collect-due-payment.ts';
import { fieldRequired } from '../../domain/errors.ts';
import { toWire } from '../../domain/money/amount.ts';
import { movedMoney } from '../wire/moved-money.ts';
import { route } from '../http/route.ts';
import { idParam, text } from '../wire/schemas.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { unknownOrder, orderIsOver } from '../wire/outcomes.ts';

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

/** Collects credit due on an order, all or a part of it, in the order's currency (spec 4.6). */
export const collectDuePaymentRoute = route({
  method: 'POST',
  path: '/V1/pos/orders/:orderId/due-payments',
  acl: 'Vendor_Pos::locations',
  summary: 'Collect credit that is due on an order',
  name: 'collectDuePayment',
  description: `Takes money for an order that was sold on credit, in the order’s currency; a part will do. The lower
    of \`pos_credit_due\` and \`total_due\` is the most. Once nothing is due the open invoice is paid. A reference
    that the order has already is answered with its first booking and \`is_replay\` true.`,
  outcomes: [
    unknownOrder,
    { status: 400, message: 'Credit due payment amount must be positive', when: 'The amount is zero or below.' },
    {
      status: 400,
      message: 'The amount %1 exceeds the remaining credit due of %2.',
      when: 'More than is due.',
      then: 'Offer the second parameter.',
    },
    orderIsOver,
  ],
  params: z.object({ orderId: idParam }),
  body: z.object({ reference: text(255).optional(), amount: movedMoney }),
  response: duePaymentAnswer,

  async handle({ em, params: { orderId }, body: { reference, amount }, setHeader }) {
    if (reference === undefined) throw fieldRequired('reference');
    const booked = await collectDuePayment(em, { orderId, reference, amount });
    if (booked.isReplay) markReplayed({ setHeader });
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
