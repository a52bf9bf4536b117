import { z } from 'zod';
import type { StoredLeg } from '../../db/returns/return.entity.ts';
import { amount, money as moneyOf, toWire } from '../../domain/money/amount.ts';
import { type ExpectedLeg, legKinds } from '../../domain/refunds/quote-refund.ts';
import { isObject } from './is-object.ts';
import { growing, integer, money, readInner } from './schemas.ts';

/** A credit leg of a return or a preview (spec 2.11, 4.8). */
export const returnLeg = z
  .object({
    kind: z.string(),
    provider_code: z.string(),
    applies_as: z.string(),
    /** `returned` by the memo, or still to be `issued` by `credits/refund`. */
    direction: z.enum(['returned', 'issued']),
    base_amount: z.number(),
    amount: z.number(),
    points: z.number().optional(),
  })
  .meta({ id: 'RefundLeg' });

type Direction = z.infer<typeof returnLeg>['direction'];

export const renderLeg = (leg: StoredLeg, direction: Direction = 'returned'): z.input<typeof returnLeg> => ({
  kind: leg.kind,
  provider_code: leg.providerCode,
  applies_as: leg.appliesAs ?? 'tender',
  direction,
  base_amount: toWire(amount(leg.baseAmount)),
  amount: toWire(amount(leg.amount)),
  ...(leg.points === undefined ? {} : { points: leg.points }),
});

/** Above any credit, and small enough that legs can be summed. */
const mostOfLeg = moneyOf('1000000000');
const mostLegs = 500;

/**
 * A leg that a register sends back from its preview. It is only compared with the booked legs, so an unreadable part
 * is a difference, not a refusal (spec 4.8 settle).
 */
const expectedLeg = growing({
  kind: z.enum([...legKinds, 'loyalty_points', 'unknown']).catch('unknown'),
  amount: money
    .refine((worth) => Math.abs(worth) <= mostOfLeg)
    .nullable()
    .catch(null),
  points: integer.optional().catch(undefined),
}).transform(({ kind, amount: worth, points }): ExpectedLeg => ({
  // Points have two names (spec 2.10, 4.6).
  kind: kind === 'loyalty_points' ? 'reward_points' : kind,
  amount: worth,
  ...(points === undefined ? {} : { points }),
}));

/**
 * The legs of a preview, as a list or as its JSON text; blank text and null mean none. A value that is not a list
 * counts as one leg.
 */
export const expectedLegs = z.preprocess((given) => {
  const read = typeof given === 'string' ? readInner(given.trim() || 'null') : given;
  if (read === null || read === undefined) return undefined;
  // Any other value has no readable part of a leg.
  return (Array.isArray(read) ? read : [read]).map((leg) => (isObject(leg) ? leg : {}));
}, z.array(expectedLeg).max(mostLegs).optional());
