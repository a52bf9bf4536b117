import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { storeOfOrder } from '../../db/platform/orders/cancel-order.ts';
import { refuseUnknownStore } from '../../db/platform/stores/find-customer-store.ts';
import { objectionOfMoney } from '../../db/refunds/refundable-money.ts';
import { findReturn, openReturns, returnsOfOrder, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { soldOrder } from '../../db/returns/sold-order.ts';
import { readPointsOwed } from '../../db/reward-points/read-points.ts';
import { handbackOf } from '../../domain/credits/applied-credit.ts';
import { amount, coinOf, none, quantityToWire, toWire, zero } from '../../domain/money.ts';
import { returnNotFound } from '../../domain/refusals/returns.ts';
import {
  eligibilityOf,
  moneyObjection,
  type Eligibility,
  type OrderEligibility,
} from '../../domain/returns/eligibility.ts';
import { shownMethod } from '../../domain/returns/resolution.ts';
import { labelOf, type ReturnOption } from '../../domain/returns/return-status.ts';
import { route, type RouteContext } from '../http/route.ts';
import { tenderLine } from '../wire/tender-lines.ts';
import { tenderLinesOf } from './tender-lines.ts';
import { renderLeg, returnLeg, unknownOrder } from '../wire/outcomes.ts';
import { idParam, integer, recordId } from '../wire/schemas.ts';
import { activeProvider, askActiveProvider } from './ask-provider.ts';
import { providerAway } from './return-outcomes.ts';

const item = z
  .object({
    entity_id: z.int(),
    order_item_id: z.int(),
    product_name: z.string().nullable(),
    product_sku: z.string(),
    qty_requested: z.number(),
    qty_authorized: z.number().nullable(),
    qty_approved: z.number().nullable(),
    qty_returned: z.number().nullable(),
    reason: z.string().nullable(),
    condition: z.string().nullable(),
    resolution: z.string().nullable(),
    status: z.string(),
  })
  .meta({ id: 'ReturnItem' });

const comment = z
  .object({
    comment: z.string(),
    is_customer_notified: z.boolean(),
    is_visible_on_front: z.boolean(),
    status: z.string().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'ReturnComment' });

/** A return in a register's answer (spec 2.11). */
export const returnAnswer = z
  .object({
    id: z.int(),
    increment_id: z.string(),
    order_id: z.int(),
    order_increment_id: z.string(),
    customer_id: z.int().nullable(),
    status: z.string(),
    status_label: z.string(),
    items: z.array(item),
    comments: z.array(comment),
    created_at: z.string(),
    updated_at: z.string(),
    refund_method: z.string().nullable(),
    credit_memo_id: z.int().nullable(),
    credit_memo_increment_id: z.string().nullable(),
    pos_sale_id: z.string().optional(),
    reused: z.boolean().optional(),
    ready: z.boolean().optional(),
    refund_legs: z.array(returnLeg),
    base_refund_total: z.number().nullable(),
    base_handback: z.number().nullable(),
    handback: z.number().optional(),
    refund_difference: z.string().nullable(),
    refund_attempt_id: z.int().optional(),
    refund_attempt_state: z.string().optional(),
    points_owed: z.int().optional(),
    tender_lines: z.array(tenderLine).optional(),
  })
  .meta({ id: 'Return' });

/**
 * The only place that knows a return's wire names.
 *
 * @param reused on a create's answer only: whether the sale already had this return
 */
export function renderReturn(rma: ReturnRecord, reused?: boolean): z.input<typeof returnAnswer> {
  const codes = new Map(rma.newCards.map(({ cardId, code }) => [cardId, code]));
  return {
    id: rma.returnId,
    increment_id: rma.incrementId,
    order_id: rma.orderId,
    order_increment_id: rma.orderIncrementId,
    customer_id: rma.customerId,
    status: rma.status,
    status_label: labelOf(rma.status),
    items: rma.items,
    comments: rma.comments,
    created_at: rma.createdAt,
    updated_at: rma.updatedAt,
    refund_method: shownMethod(rma.refundMethod),
    credit_memo_id: rma.creditMemoId,
    credit_memo_increment_id: rma.creditMemoIncrementId,
    ...(rma.posSaleId === null ? {} : { pos_sale_id: rma.posSaleId, ready: rma.isReady }),
    ...(reused === undefined ? {} : { reused }),
    refund_legs: rma.refundLegs.map((leg) => renderLeg(leg, 'returned', codes)),
    base_refund_total: rma.baseRefundTotal,
    base_handback: rma.baseHandback,
    ...handbackInOrderCurrency(rma),
    refund_difference: rma.refundDifference,
    ...(rma.attemptId === null || rma.attemptState === null
      ? {}
      : { refund_attempt_id: rma.attemptId, refund_attempt_state: rma.attemptState }),
  };
}

/** What goes back by the tender in the order's currency, as the preview shows it; absent before the memo is booked. */
function handbackInOrderCurrency({ refund, refundLegs, currencyCode }: ReturnRecord): { handback?: number } {
  if (refund === null) return {};
  const legs = refundLegs.map((leg) => ({
    appliesAs: leg.appliesAs === 'discount' ? ('discount' as const) : undefined,
    baseAmount: amount(leg.baseAmount),
    amount: amount(leg.amount),
  }));
  const coin = coinOf(currencyCode);
  return { handback: toWire(handbackOf({ base: zero, order: refund }, legs, { base: coin, order: coin }).order) };
}

/** A return as a route answers it: with its tender lines, if it is settled by several tenders. */
export const answerReturn = async (
  { em }: Pick<RouteContext, 'em'>,
  rma: ReturnRecord,
  reused?: boolean,
): Promise<z.input<typeof returnAnswer>> => ({ ...renderReturn(rma, reused), ...(await tenderLinesOf({ em }, rma)) });

/** A return whose money went back, with the points of its sale that the customer has spent and owes now, if any. */
export async function withPointsOwed(
  { em }: Pick<RouteContext, 'em'>,
  rma: ReturnRecord,
  reused?: boolean,
): Promise<z.input<typeof returnAnswer>> {
  const answer = await answerReturn({ em }, rma, reused);
  if (rma.creditMemoId === null || rma.customerId === null) return answer;
  const owed = await readPointsOwed(em, rma.orderId);
  return owed > 0 ? { ...answer, points_owed: owed } : answer;
}

/** One return (spec 2.11, 4.8). */
export const getReturn = route({
  method: 'GET',
  path: '/V1/pos/rma/:rmaId',
  acl: 'Vendor_Pos::locations',
  summary: 'One return',
  name: 'getReturn',
  description: `Read it after a 409, a 504 or a lost answer. \`status\` says how far it is, \`refund_attempt_state\`
    whether a card refund is still in doubt.`,
  outcomes: [returnNotFound],
  params: z.object({ rmaId: idParam }),
  response: returnAnswer,

  async handle({ params: { rmaId }, em }) {
    return answerReturn({ em }, await findReturn(em, rmaId));
  },
});

/** Our choice: the spec gives 200 as an example; it ends where every list without a page size does. */
const defaultLimit = 200;
const longestInbox = 10_000;

/** Returns that are not finished, across orders, newest first: the inbox of pending returns (spec 4.8). */
export const listOpenReturns = route({
  method: 'GET',
  path: '/V1/pos/rma/open',
  acl: 'Vendor_Pos::locations',
  summary: 'Returns that are not finished',
  name: 'listOpenReturns',
  description: 'The inbox of returns that are not finished, across orders, newest first.',
  outcomes: [],
  query: z.object({ limit: integer.default(defaultLimit) }),
  response: z.array(returnAnswer),

  async handle({ query: { limit }, em }) {
    const most = Math.min(Math.max(limit, 1), longestInbox);
    return Promise.all((await openReturns(em, most)).map((rma) => answerReturn({ em }, rma)));
  },
});

/** The returns of one order, oldest first (spec 4.8). */
export const listOrderReturns = route({
  method: 'GET',
  path: '/V1/pos/rma/order/:orderId',
  acl: 'Vendor_Pos::locations',
  summary: 'The returns of one order',
  name: 'listReturnsOfOrder',
  description: 'A plain list, oldest first. It is empty for an order that nothing came back of.',
  outcomes: [unknownOrder],
  params: z.object({ orderId: idParam }),
  response: z.array(returnAnswer),

  async handle({ params: { orderId }, em }) {
    const returns = await returnsOfOrder(em, orderId);
    // An empty list may mean an unknown order.
    if (returns.length === 0) await storeOfOrder(em, orderId);
    return Promise.all(returns.map((rma) => answerReturn({ em }, rma)));
  },
});

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

const option = z
  .object({
    id: z.string(),
    label: z.string(),
    behavior: z.string().nullable(),
    is_store_credit: z.boolean().nullable(),
  })
  .meta({ id: 'ReturnOption' });

/**
 * Reasons, conditions and resolutions to choose from, as the store view's returns provider has them (spec 4.8);
 * nothing where there is none.
 */
export const returnOptions = route({
  method: 'GET',
  path: '/V1/pos/rma/options',
  acl: 'Vendor_Pos::locations',
  summary: 'Reasons, conditions and resolutions of returns',
  name: 'getReturnOptions',
  description: `What the cashier chooses from when goods come back. \`behavior\` says what a resolution does:
    \`refund\`, \`exchange\` or \`unsupported\`. Without \`storeId\`, or with 0, the store view of the path. A store
    without a returns provider has empty lists.`,
  outcomes: [
    {
      status: 404,
      message: "The store that was requested wasn't found. Verify the store and try again.",
      when: '`storeId` is no store view.',
    },
    providerAway,
  ],
  query: z.object({ storeId: recordId.optional() }),
  response: z.object({
    provider_code: z.string(),
    store_id: z.int(),
    reasons: z.array(option),
    conditions: z.array(option),
    resolutions: z.array(option),
  }),

  async handle({ query, store, em, providers }) {
    // Without one, or with a zero, the store view of the request.
    const storeId = query.storeId || store.storeId;
    if (storeId !== store.storeId) await refuseUnknownStore(em, storeId);
    const provider = await activeProvider({ providers }, storeId);
    const options = await provider?.options(storeId);
    return {
      provider_code: provider?.code ?? '',
      store_id: storeId,
      reasons: (options?.reasons ?? []).map(renderReturnOptions),
      conditions: (options?.conditions ?? []).map(renderReturnOptions),
      resolutions: (options?.resolutions ?? []).map(renderReturnOptions),
    };
  },
});

const renderReturnOptions = ({ id, label, behavior, isStoreCredit }: ReturnOption) => ({
  id,
  label,
  behavior,
  is_store_credit: isStoreCredit,
});
