import { z } from 'zod';
import type { ApplicableCredit } from '../../domain/credits/applicable.ts';
import type { SpendableCredit } from '../../domain/credits/spendable-credit.ts';
import { toWire } from '../../domain/money/amount.ts';

/** What a cart may spend of one credit (spec 4.6). `points_rate` is what one point is worth in the cart's currency. */
export const applicableAnswer = z
  .object({
    outcome: z.enum(['supported', 'unsupported', 'failed']),
    credit_type: z.string().nullable(),
    provider_code: z.string().nullable(),
    code: z.string().nullable(),
    applies_as: z.enum(['tender', 'discount']).nullable(),
    balance: z.number(),
    max_amount: z.number(),
    min_amount: z.number(),
    min_points: z.number().nullable(),
    max_points: z.number().nullable(),
    points_rate: z.number().nullable(),
    points_granularity: z.number().nullable(),
    amount_step: z.number(),
    round_rule: z.string(),
    is_redeemable: z.boolean(),
    reason: z.string().nullable(),
    lines: z.array(z.object({ sku: z.string(), is_eligible: z.boolean(), reason: z.string().nullable() })),
  })
  .meta({ id: 'ApplicableCredit' });
type ApplicableAnswer = z.input<typeof applicableAnswer>;

/** Amounts are rounded down to whole coins. */
const roundRule = 'floor';

export const renderSupported = (credit: SpendableCredit, found: ApplicableCredit): ApplicableAnswer => ({
  outcome: 'supported',
  credit_type: credit.kind,
  provider_code: credit.providerCode,
  code: credit.code,
  applies_as: credit.appliesAs,
  balance: found.points ?? toWire(found.balance),
  max_amount: toWire(found.maxAmount),
  min_amount: toWire(found.minAmount),
  min_points: found.minPoints,
  max_points: found.maxPoints,
  points_rate: found.pointsRate,
  points_granularity: found.pointsGranularity,
  amount_step: toWire(found.amountStep),
  round_rule: roundRule,
  is_redeemable: found.isRedeemable,
  reason: found.reason,
  lines: found.lines.map(({ sku, isEligible, reason }) => ({ sku, is_eligible: isEligible, reason })),
});

/** Nothing may be spent, and the reason (spec 4.6). */
export const renderNothing = (given: {
  outcome: 'unsupported' | 'failed';
  reason: string;
  kind?: string;
  providerCode?: string;
  code?: string | undefined;
  skus?: readonly string[];
}): ApplicableAnswer => ({
  outcome: given.outcome,
  credit_type: given.kind ?? null,
  provider_code: given.providerCode ?? null,
  code: given.code ?? null,
  applies_as: null,
  balance: 0,
  max_amount: 0,
  min_amount: 0,
  min_points: null,
  max_points: null,
  points_rate: null,
  points_granularity: null,
  amount_step: 0,
  round_rule: roundRule,
  is_redeemable: false,
  reason: given.reason,
  lines: (given.skus ?? []).map((sku) => ({ sku, is_eligible: false, reason: given.reason })),
});
