import { z } from 'zod';
import { requireOrder } from '../../db/platform/orders/require-order.ts';
import { soldLines } from '../../db/returns/sold-lines.ts';
import { quantityToWire } from '../../domain/money/quantity.ts';
import { lineEligibility, orderEligibility, type Eligibility } from '../../domain/returns/eligibility.ts';
import { route } from '../support/route.ts';
import { idParam } from '../support/schemas.ts';

const verdict = {
  outcome: z.enum(['allowed', 'forbidden']),
  reason_code: z.string().nullable(),
  reason: z.string().nullable(),
  period_days: z.int(),
};

/** Whether an order and each of its lines may come back, and how much of it (spec 4.8). Refused with: 404 unknown order. */
export const returnEligibility = route({
  method: 'GET',
  path: '/V1/pos/rma/eligibility/:orderId',
  acl: 'Vendor_Pos::locations',
  summary: 'What of an order may be returned',
  params: z.object({ orderId: idParam }),
  response: z.object({
    order_id: z.int(),
    ...verdict,
    lines: z.array(
      z.object({
        order_item_id: z.int(),
        name: z.string(),
        ...verdict,
        qty_returnable: z.number().nullable(),
        allowed_resolution_ids: z.array(z.string()).nullable(),
        resolution_periods: z.array(z.object({ resolution_id: z.string(), period_days: z.int() })),
      }),
    ),
  }),

  async handle({ params: { orderId }, em }) {
    await requireOrder(em, orderId);
    const lines = await soldLines(em, orderId);
    return {
      order_id: orderId,
      ...render(orderEligibility(lines)),
      lines: lines.map(lineEligibility).map((line) => ({
        order_item_id: line.orderItemId,
        name: line.name,
        ...render(line),
        qty_returnable: quantityToWire(line.qtyReturnable),
        allowed_resolution_ids: line.outcome === 'forbidden' ? [] : null,
        resolution_periods: [],
      })),
    };
  },
});

const render = ({ outcome, reasonCode, reason, periodDays }: Eligibility) => ({
  outcome,
  reason_code: reasonCode,
  reason,
  period_days: periodDays,
});
