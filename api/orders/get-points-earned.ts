import { DriverException } from '@mikro-orm/core';
import { z } from 'zod';
import { readCreditScopeOfOrder } from '../../db/credit-stores/read-credit-scope.ts';
import { noSuchDocument } from '../../domain/errors.ts';
import { toWire } from '../../domain/money/amount.ts';
import type { PointsOfOrder } from '../../providers/credits/credit-provider.ts';
import { inTime } from '../../providers/in-time.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { unknownOrder } from '../wire/outcomes.ts';

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
    that the provider has not come to the order yet; \`unsupported\` that no provider knows, with the reason. \`points_owed\` are of those that are void: the customer had spent
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
