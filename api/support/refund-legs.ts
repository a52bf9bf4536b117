import { z } from 'zod';
import type { StoredLeg } from '../../db/returns/return.entity.ts';
import { creditUses } from '../../domain/credits/applied-credit.ts';
import { amount, toWire } from '../../domain/money/amount.ts';
import { legKinds } from '../../domain/refunds/quote-refund.ts';
import { money, payload, text } from './schemas.ts';

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

/** A leg as a register sends it back, from the preview it acted on. */
export const expectedLeg = payload({
  kind: z.enum(legKinds),
  provider_code: text(64).default(''),
  applies_as: z.enum(creditUses).optional(),
  direction: text(32).optional(),
  base_amount: money,
  amount: money,
  points: z.number().optional(),
});
