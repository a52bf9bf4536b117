import { z } from 'zod';
import type { StoredLeg } from '../../db/returns/return.entity.ts';
import { amount, toWire } from '../../domain/money/amount.ts';
import { type ExpectedLeg, legKinds } from '../../domain/refunds/quote-refund.ts';
import { growing, integer, money, readInner } from './schemas.ts';

/** A credit leg of a return or a preview (spec 2.11, 4.8). */
export const returnLeg = z.object({
  kind: z.string(),
  provider_code: z.string(),
  applies_as: z.string(),
  direction: z.literal('returned'),
  base_amount: z.number(),
  amount: z.number(),
  points: z.number().optional(),
});

export const renderLeg = (leg: StoredLeg): z.input<typeof returnLeg> => ({
  kind: leg.kind,
  provider_code: leg.providerCode,
  applies_as: leg.appliesAs ?? 'tender',
  direction: 'returned',
  base_amount: toWire(amount(leg.baseAmount)),
  amount: toWire(amount(leg.amount)),
  ...(leg.points === undefined ? {} : { points: leg.points }),
});

/**
 * A leg as a register sends it back, from the preview it acted on. It is only compared with what is booked, so whatever
 * cannot be read of it is a difference, not a refusal (spec 4.8 settle).
 */
const expectedLeg = growing({
  kind: z.enum([...legKinds, 'loyalty_points', 'unknown']).catch('unknown'),
  amount: money.nullable().catch(null),
  points: integer.optional().catch(undefined),
}).transform(({ kind, amount: worth, points }): ExpectedLeg => ({
  // Points have two names (spec 2.10, 4.6).
  kind: kind === 'loyalty_points' ? 'reward_points' : kind,
  amount: worth,
  ...(points === undefined ? {} : { points }),
}));

/** The legs of a preview, as a list or as its JSON text. */
export const expectedLegs = z.preprocess(
  (given) => (typeof given === 'string' ? readInner(given) : given),
  z.array(expectedLeg).max(500),
);
