import { DriverException } from '@mikro-orm/core';
import { z } from 'zod';
import { readCreditScopeOfOrder } from '../db/credit-stores/read-credit-scope.ts';
import { collectDuePayment } from '../db/orders/collect-due-payment.ts';
import type { OrderHook } from '../db/platform/orders/saved-order.ts';
import type { SavedOrder } from '../db/platform/orders/saved-order.ts';
import type { PostedOrder } from '../db/platform/orders/posted-order.ts';
import { fieldRequired, noSuchDocument } from '../domain/errors.ts';
import { toWire } from '../domain/money.ts';
import { orderIsOver } from '../domain/refusals/documents.ts';
import { amountAboveCreditDue, duePaymentNotPositive, finerThanCoin } from '../domain/refusals/money.ts';
import type { PointsOfOrder } from '../providers/credits/credit-provider.ts';
import type { FactsOfGateways } from '../providers/gateways/payment-gateway.ts';
import { inTime } from '../providers/in-time.ts';
import { route, type RouteContext } from './http/route.ts';
import { markReplayed } from './http/within.ts';
import { movedMoney } from './wire/moved-money.ts';
import { unknownOrder } from './wire/outcomes.ts';
import { registerPlace } from './wire/register-place.ts';
import { idParam, reference, text } from './wire/schemas.ts';

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
    that the order has already is answered with its first booking and \`is_replay\` true. \`paymentMethod\`,
    \`terminalId\` and \`registerSessionUuid\` assign the payment to a tender, a register and its session; without
    them its receipt does.`,
  outcomes: [unknownOrder, duePaymentNotPositive, finerThanCoin, amountAboveCreditDue, orderIsOver],
  params: z.object({ orderId: idParam }),
  body: z.object({
    reference: reference(255).optional(),
    amount: movedMoney,
    paymentMethod: text(128).optional(),
    ...registerPlace,
  }),
  response: duePaymentAnswer,

  async handle({ em, params: { orderId }, body: { reference, ...body }, setHeader }) {
    if (reference === undefined) throw fieldRequired('reference');
    const booked = await collectDuePayment(em, { orderId, reference, ...body });
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

const answer = z.object({
  order_id: z.int(),
  provider_code: z.string().nullable(),
  status: z.enum(['earned', 'pending', 'unsupported']),
  points: z.number(),
  points_earned: z.number(),
  balance_after: z.number().nullable(),
  currency_value: z.number().nullable(),
  points_voided: z.number(),
  points_owed: z.number(),
  points_granularity: z.number().nullable(),
  reason: z.string().nullable(),
});

/** Short, because a register waits for this before it prints a receipt. */
const lookUpMs = 3_000;
const longestReason = 500;

/** The reward points an order earned (spec 4.6); reads only. */
export const getPointsEarned = route({
  method: 'GET',
  path: '/V1/pos/orders/:orderId/points-earned',
  acl: 'Vendor_Pos::locations',
  summary: 'The reward points an order earned',
  name: 'getPointsEarned',
  description: `For the receipt: \`points\` is what is left of the points that the order earned. \`pending\` means
    that the provider has not come to the order yet; \`unsupported\` that no provider knows, with the reason.
\`points_owed\` are of those that are void: the customer had spent
    them, and later points pay for them.`,
  outcomes: [unknownOrder],
  params: z.object({ orderId: idParam }),
  response: answer,

  async handle({ em, params: { orderId }, providers, log }) {
    const scope = await readCreditScopeOfOrder(em, orderId);
    if (!scope) throw noSuchDocument();
    const provider = providers.credits.active('reward_points', scope.settings);
    if (!provider) return unsupported(orderId, null, 'No provider of reward points is installed.');
    const deadline = new Date(Date.now() + lookUpMs);
    try {
      const points = await inTime(provider.pointsOfOrder({ orderId, scope, deadline }), deadline);
      return points === undefined || points.status === 'none'
        ? unsupported(orderId, provider.code, points?.reason ?? 'The provider does not tell what orders earned.')
        : answerOf(orderId, provider.code, points);
    } catch (error) {
      log.warn({ orderId, provider: provider.code, error }, 'the points of an order could not be read');
      return unsupported(orderId, provider.code, reasonOf(error));
    }
  },
});

const answerOf = (orderId: number, providerCode: string, points: PointsOfOrder): z.input<typeof answer> => ({
  order_id: orderId,
  provider_code: providerCode,
  status: points.status === 'earned' ? 'earned' : 'pending',
  points: points.earned - points.voided,
  points_earned: points.earned,
  balance_after: points.balanceAfter,
  currency_value: points.currencyValue === null ? null : toWire(points.currencyValue),
  points_voided: points.voided,
  points_owed: points.owed ?? 0,
  points_granularity: points.granularity,
  reason: points.reason,
});

const unsupported = (orderId: number, providerCode: string | null, reason: string): z.input<typeof answer> => ({
  order_id: orderId,
  provider_code: providerCode,
  status: 'unsupported',
  points: 0,
  points_earned: 0,
  balance_after: null,
  currency_value: null,
  points_voided: 0,
  points_owed: 0,
  points_granularity: null,
  reason,
});

/** The provider's own message; a database's message is left out, because it names tables. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && !(error instanceof DriverException)
    ? error.message.slice(0, longestReason)
    : 'The points cannot be read.';

type Place = (posted: PostedOrder, context: RouteContext, noted: OrderHook) => Promise<SavedOrder>;

/** The store view of an order without a store. */
const defaultStoreId = 1;

/**
 * Adds a comment to a new order whose card payment cannot be refunded through a gateway, because it came without a
 * transaction. The order is still placed (our choice), because its money was taken. A later save can add the
 * transaction.
 *
 * Checked before the order's transaction begins; for a payment with a transaction nothing is read.
 */
export const reportUntrackedPayment =
  (place: Place): Place =>
  async (posted, context, noted) => {
    const storeId = posted.columns.storeId ?? (context.store.storeId || defaultStoreId);
    return place(await withRemark(posted, context.providers.gatewayFacts, storeId), context, noted);
  };

async function withRemark(posted: PostedOrder, gateways: FactsOfGateways, storeId: number): Promise<PostedOrder> {
  const { method: paymentMethod = '', lastTransId } = posted.payment ?? {};
  if (paymentMethod === '' || (lastTransId ?? '') !== '') return posted;
  const gateway = await gateways.for({ paymentMethod, storeId });
  if (gateway === undefined || gateway.canTrack(null)) return posted;
  return { ...posted, ownComments: [{ comment: remark(paymentMethod) }] };
}

const remark = (method: string) =>
  `This payment by "${method}" cannot be tracked: the order came without its transaction id. Until a save of the order tells it, the register cannot refund the card.`;
