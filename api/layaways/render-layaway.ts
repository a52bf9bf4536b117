import { z } from 'zod';
import type { CancelledLeg, LayawaySnapshot } from '../../db/layaways/read-layaway.ts';
import { toWire } from '../../domain/money/amount.ts';

const leg = z.object({
  kind: z.string(),
  provider_code: z.string(),
  applies_as: z.string(),
  direction: z.string(),
  base_amount: z.number(),
  amount: z.number(),
  points: z.int().optional(),
});

/** A layaway in the register's words (spec 2.13). */
export const layawayAnswer = z
  .object({
    order_id: z.int(),
    order_increment_id: z.string(),
    total_captured: z.number(),
    balance_owed: z.number(),
    status: z.string(),
    expires_at: z.string().nullable(),
  })
  .meta({ id: 'Layaway' });

export const cancelledLayawayAnswer = layawayAnswer
  .extend({
    cancellation_fee: z.number(),
    refund_amount: z.number(),
    refund_method: z.string().nullable(),
    credit_memo_increment_id: z.string().nullable(),
    credit_legs: z.array(leg),
  })
  .meta({ id: 'CancelledLayaway' });

/** The only place that knows a layaway's wire names. */
export const renderLayaway = (layaway: LayawaySnapshot): z.input<typeof layawayAnswer> => ({
  order_id: layaway.orderId,
  order_increment_id: layaway.incrementId,
  total_captured: toWire(layaway.totalCaptured),
  balance_owed: toWire(layaway.balanceOwed),
  status: layaway.status ?? '',
  expires_at: layaway.expiresAt,
});

/** As above, with the cashier's next steps. */
export function renderCancelledLayaway(layaway: LayawaySnapshot): z.input<typeof cancelledLayawayAnswer> {
  const { cancellation } = layaway;
  if (!cancellation) throw new Error(`the layaway of order ${layaway.orderId} was cancelled, and nothing says how`);
  return {
    ...renderLayaway(layaway),
    cancellation_fee: toWire(cancellation.fee),
    refund_amount: toWire(cancellation.refund),
    refund_method: cancellation.refundMethod,
    credit_memo_increment_id: cancellation.creditMemoIncrementId,
    credit_legs: cancellation.legs.map(renderLeg),
  };
}

/** `direction`: all of them go back to their balance. */
const renderLeg = ({ kind, providerCode, appliesAs, baseAmount, amount, points }: CancelledLeg) => ({
  kind,
  provider_code: providerCode,
  applies_as: appliesAs,
  direction: 'returned',
  base_amount: toWire(baseAmount),
  amount: toWire(amount),
  ...(points === null ? {} : { points }),
});
