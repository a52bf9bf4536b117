import { z } from 'zod';
import { zero } from '../../../domain/money.ts';
import {
  creditMemoExists,
  moneyToRefundTooHigh,
  noShippingToRefund,
  refundQuantityNotValid,
  shippingRefundTooHigh,
} from '../../../domain/refusals/documents.ts';
import { creditMemoOffline, refundNotAvailable } from '../../../domain/refusals/money.ts';
import {
  valueAboveMaximum,
  valueBelowMinimum,
  waitedTooLong,
  workflowsAway,
} from '../../../domain/refusals/platform.ts';
import type { Outcome } from '../../http/route.ts';
import { adjustmentsInBaseCurrency, documentArguments, remarkOf } from '../../wire/documents.ts';
import { unknownDocument, requiredField } from '../../wire/outcomes.ts';
import { growing, idParam } from '../../wire/schemas.ts';

/** The refusals and doubts of a refund through a gateway. */
export const onlineOutcomes: readonly Outcome[] = [
  unknownDocument('The order or the invoice is unknown, or the invoice belongs to another order.'),
  creditMemoOffline,
  refundNotAvailable,
  {
    status: 400,
    code: 'gateway_refused',
    message: 'The refund did not go through: …',
    when: 'The gateway said no. Nothing was booked.',
    then: 'Read `parameters.refund_attempt_id`; give the money back another way, and refund offline.',
  },
  {
    status: 409,
    code: 'gateway_uncertain',
    message: 'The gateway has not said whether the refund went through. Nothing is refunded until that is known.',
    when: 'The answer of the gateway was lost, or another refund of the order without a return is undecided.',
    then:
      'Ask for the attempt in `parameters.refund_attempt_id` until it is `booked` or `failed`; send nothing again ' +
      'before.',
  },
  workflowsAway,
  waitedTooLong,
];

/** Texts of the routes for credit memos with their caller's figures. */

const line = {
  entity_id: 11,
  parent_id: 7,
  order_item_id: 3,
  product_id: 12,
  sku: 'MUG-WHITE',
  name: 'Mug',
  qty: 1,
  price: 12.5,
  base_price: 12.5,
  price_incl_tax: 12.5,
  base_price_incl_tax: 12.5,
  row_total: 12.5,
  base_row_total: 12.5,
  row_total_incl_tax: 12.5,
  base_row_total_incl_tax: 12.5,
  tax_amount: 0,
  base_tax_amount: 0,
  discount_amount: 0,
  base_discount_amount: 0,
  discount_tax_compensation_amount: 0,
  base_discount_tax_compensation_amount: 0,
  weee_tax_applied_row_amount: 0,
  base_weee_tax_applied_row_amnt: 0,
};

const zeros = [
  'discount_amount',
  'shipping_amount',
  'shipping_incl_tax',
  'shipping_tax_amount',
  'tax_amount',
  'discount_tax_compensation_amount',
  'adjustment',
  'adjustment_positive',
  'adjustment_negative',
];

export const creditMemoExample = {
  entity_id: 7,
  order_id: 42,
  store_id: 1,
  state: 2,
  increment_id: '000000007',
  created_at: '2026-11-21 09:30:00',
  updated_at: '2026-11-21 09:30:00',
  ...Object.fromEntries(zeros.flatMap((name) => [name, `base_${name}`]).map((name) => [name, 0])),
  ...Object.fromEntries(
    ['subtotal', 'subtotal_incl_tax', 'grand_total']
      .flatMap((name) => [name, `base_${name}`])
      .map((name) => [name, 12.5]),
  ),
  base_currency_code: 'USD',
  global_currency_code: 'USD',
  order_currency_code: 'USD',
  store_currency_code: 'USD',
  base_to_global_rate: 1,
  base_to_order_rate: 1,
  store_to_base_rate: 1,
  store_to_order_rate: 1,
  billing_address_id: 51,
  items: [line],
  comments: [],
};

const figureOutcomes: readonly Outcome[] = [
  moneyToRefundTooHigh,
  refundQuantityNotValid.because('More of a line than was invoiced and not refunded.'),
  shippingRefundTooHigh.because('More shipping than is left to refund.'),
  noShippingToRefund,
  valueAboveMaximum,
  valueBelowMinimum,
  creditMemoExists.because('The memo has an `entity_id`.'),
  requiredField('No order, or no grand total in either currency.'),
  {
    status: 400,
    message: 'Creditmemo Document Validation Error(s):\n…',
    when:
      'The order cannot be refunded in its state, or a line belongs to another order. The message has a line for ' +
      'each error.',
  },
];

export const refundWithTotalsWords = {
  name: 'refundWithTotals',
  summary: 'Refund an order with the caller’s own figures',
  description:
    'For callers that calculate the refund themselves: nothing is calculated here. Amounts are in the order’s ' +
    'currency, `base_…` in the base currency; one of them is enough, the other follows by the order’s rate. A ' +
    'grand total is needed. A total that is absent is zero; a line without any amount has what the order’s own ' +
    'refund would give of it. No lines means money without goods. Goods named in ' +
    '`extension_attributes.return_to_stock_items` may be sold again, all others are written off.\n\nWith ' +
    '`offlineRequested`, or without `invoice_id`, the memo is booked without a gateway. Else the gateway that ' +
    'took the money is called once, and the memo is booked when the money went back. Offline payment methods are ' +
    'booked by hand. Send an `Idempotency-Key`: a repeat is answered with the first memo. Without one a repeat ' +
    'refunds again as long as something is left.',
  outcomes: [...figureOutcomes, ...onlineOutcomes],
  examples: [
    {
      title: 'One mug by hand, back on the shelf',
      body: {
        creditmemo: {
          order_id: 42,
          subtotal: 12.5,
          base_subtotal: 12.5,
          grand_total: 12.5,
          base_grand_total: 12.5,
          items: [{ order_item_id: 3, qty: 1, row_total: 12.5, base_row_total: 12.5 }],
          extension_attributes: { return_to_stock_items: [3] },
        },
        offlineRequested: true,
      },
      response: creditMemoExample,
    },
  ],
};

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
  const input = body.arguments;
  return {
    items: body.items,
    shippingAmount: input?.shippingAmount,
    adjustmentPositive: input?.adjustmentPositive ?? zero,
    adjustmentNegative: input?.adjustmentNegative ?? zero,
    returnToStockItemIds: input?.extensionAttributes?.returnToStockItems ?? [],
    comment: remarkOf(body),
  };
};
