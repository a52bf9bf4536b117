import { z } from 'zod';
import type { EntityManager } from '@mikro-orm/postgresql';
import { objectionOfMoney } from '../../db/refunds/judge-money.ts';
import { soldOrder } from '../../db/returns/sold-order.ts';
import { none, quantityToWire } from '../../domain/money/quantity.ts';
import { eligibilityOf, type Eligibility, type OrderEligibility } from '../../domain/returns/eligibility.ts';
import { moneyObjection } from '../../domain/returns/objection-to.ts';
import { askActiveProvider } from './active-provider.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownOrder } from '../wire/outcomes.ts';
import { providerAway } from './return-outcomes.ts';

const verdict = {
  outcome: z.enum(['allowed', 'forbidden']),
  reason_code: z.string().nullable(),
  reason: z.string().nullable(),
  period_days: z.int(),
};

/**
 * Whether an order and each of its lines may come back, how much of it, and how (spec 4.8): by the rules of the
 * order's store, and by the word of its returns provider.
 */
export const returnEligibility = route({
  method: 'GET',
  path: '/V1/pos/rma/eligibility/:orderId',
  acl: 'Vendor_Pos::locations',
  summary: 'What of an order may be returned',
  name: 'getReturnEligibility',
  description: `Ask it before the cashier picks lines. Each line says whether it may come back, how many of it, and
    by which resolutions. \`qty_returnable\` null means no limit; \`period_days\` 0 means no window. \`reason\` is a
    sentence for the customer.`,
  outcomes: [unknownOrder, providerAway],
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

  async handle({ params: { orderId }, em, providers, now }) {
    const { order, says } = await askActiveProvider({ providers }, await soldOrder(em, orderId));
    const eligibility = eligibilityOf({ order, rules: order.rules, now, ...says });
    const { lines } = eligibility;
    return {
      order_id: orderId,
      ...render(await withMoney(em, orderId, eligibility)),
      lines: lines.map((line) => ({
        order_item_id: line.orderItemId,
        name: line.name,
        ...render(line),
        qty_returnable: quantityToWire(line.qtyReturnable),
        allowed_resolution_ids: line.allowedResolutionIds === null ? null : [...line.allowedResolutionIds],
        resolution_periods: line.resolutionPeriods.map(({ resolutionId, periodDays }) => ({
          resolution_id: resolutionId,
          period_days: periodDays,
        })),
      })),
    };
  },
});

/** An order whose money cannot go back is forbidden, in the words that its settlement would have. */
async function withMoney(em: EntityManager, orderId: number, eligibility: OrderEligibility): Promise<Eligibility> {
  if (eligibility.outcome === 'forbidden') return eligibility;
  const items = eligibility.lines
    .filter(({ outcome, qtyReturnable }) => outcome === 'allowed' && qtyReturnable > none)
    .map(({ orderItemId, qtyReturnable: qty }) => ({ orderItemId, qty }));
  const objection = await objectionOfMoney(em, { orderId, items });
  return objection ? { ...eligibility, ...moneyObjection(objection) } : eligibility;
}

const render = ({ outcome, reasonCode, reason, periodDays }: Eligibility) => ({
  outcome,
  reason_code: reasonCode,
  reason,
  period_days: periodDays,
});
