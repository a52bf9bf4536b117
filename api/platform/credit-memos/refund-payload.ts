import { z } from 'zod';
import { zero } from '../../../domain/money/amount.ts';
import { adjustmentsInBaseCurrency } from '../../wire/adjustments.ts';
import { documentArguments, remarkOf } from '../../wire/document-payload.ts';
import { growing, idParam } from '../../wire/schemas.ts';

/** More lines than an order has. */
const maxItems = 1_000;

/** Amounts in the base currency, ex tax; a settle and a preview take the order's. */
const refundArguments = growing({
  ...adjustmentsInBaseCurrency,
  extensionAttributes: growing({ returnToStockItems: z.array(idParam).max(maxItems).default([]) }).optional(),
});

/** The arguments of both of the platform's refunds (platform facts 7.1). */
export const refundPayload = { ...documentArguments, arguments: refundArguments.optional() };

const wholePayload = z.object(refundPayload);

/** Translates the request into the transaction's terms. */
export const toRefund = (body: z.output<typeof wholePayload>) => {
  const given = body.arguments;
  return {
    items: body.items,
    shippingAmount: given?.shippingAmount,
    adjustmentPositive: given?.adjustmentPositive ?? zero,
    adjustmentNegative: given?.adjustmentNegative ?? zero,
    returnToStockItemIds: given?.extensionAttributes?.returnToStockItems ?? [],
    comment: remarkOf(body),
  };
};
