import { z } from 'zod';
import { readCreditScopeOfOrder } from '../../db/credit-stores/read-credit-scope.ts';
import { type PreviewedLine, previewRefund, type RefundPreview } from '../../db/refunds/preview-refund.ts';
import { invalid } from '../../domain/errors.ts';
import { toWire, zero } from '../../domain/money/amount.ts';
import { quantityToWire } from '../../domain/money/quantity.ts';
import { legToIssue } from '../../domain/refunds/issued-as-credit.ts';
import { adjustmentsInOrderCurrency } from '../wire/adjustments.ts';
import { renderLeg, returnLeg } from '../wire/refund-legs.ts';
import { route, type RouteContext } from '../http/route.ts';
import { integer, jsonText, payload, quantity } from '../wire/schemas.ts';
import { unknownOrder } from '../wire/outcomes.ts';

const line = z.object({
  order_item_id: z.int(),
  qty: z.number(),
  base_row_total: z.number(),
  base_credit_share: z.number(),
  base_points_amount: z.number().optional(),
  points: z.number().optional(),
});

/** The credit memo that a refund would book; it is never saved (spec 4.8). */
export const previewRefundRoute = route({
  method: 'POST',
  path: '/V1/pos/refunds/preview',
  acl: 'Vendor_Pos::locations',
  summary: 'What a refund would book',
  name: 'previewRefund',
  description: `The credit memo that a refund would book; nothing is saved. Show \`handback\` to the cashier: it is
    what goes back by the original tender, after credit. Adjustments and \`shippingAmount\` are in the order’s
    currency, ex tax. With channel \`store_credit\` nothing goes back by the tender, and a leg with direction
    \`issued\` is what \`credits/refund\` gives after the settlement. \`items\` is a JSON text. Send \`legs\` to the
    settle as \`expectedLegs\`.`,
  outcomes: [
    unknownOrder,
    {
      status: 400,
      message: 'We found an invalid quantity to refund item "%1".',
      when: 'More of a line than is left to refund.',
    },
    {
      status: 400,
      message: "Creditmemo Document Validation Error(s):\nThe credit memo's total must be positive.",
      when: 'Nothing is left, or an adjustment takes all; further lines of the sentence say what else is wrong.',
    },
    {
      status: 400,
      message: 'No provider is installed for credit type %1.',
      when: 'Channel `store_credit`, and this shop has no store credit.',
    },
  ],
  body: payload({
    orderId: integer,
    items: jsonText(
      z
        .array(payload({ order_item_id: integer, qty: quantity }))
        .min(1)
        .max(500),
    ),
    channel: z.enum(['original', 'store_credit']).default('original'),
    ...adjustmentsInOrderCurrency,
  }),
  response: z.object({
    order_id: z.int(),
    channel: z.string(),
    currency_code: z.string(),
    base_refund_total: z.number(),
    refund_total: z.number(),
    base_handback: z.number(),
    handback: z.number(),
    base_returnable_max: z.number(),
    returnable_max: z.number(),
    legs: z.array(returnLeg),
    lines: z.array(line),
  }),

  async handle({ body, em, providers }) {
    const preview = await previewRefund(em, {
      orderId: body.orderId,
      items: body.items.map(({ order_item_id, qty }) => ({ orderItemId: order_item_id, qty })),
      options: {
        adjustmentPositive: body.adjustmentPositive,
        adjustmentNegative: body.adjustmentNegative,
        shippingAmount: body.shippingAmount ?? null,
        notifyCustomer: false,
      },
    });
    const issued =
      body.channel === 'store_credit' ? await issuedBy({ em, providers }, body.orderId, preview) : undefined;
    const byTender = body.channel === 'store_credit' ? { base: zero, order: zero } : preview.handback;
    return {
      order_id: body.orderId,
      channel: body.channel,
      currency_code: preview.currencyCode,
      base_refund_total: toWire(preview.refund.base),
      refund_total: toWire(preview.refund.order),
      base_handback: toWire(byTender.base),
      handback: toWire(byTender.order),
      base_returnable_max: toWire(preview.returnableMax.base),
      returnable_max: toWire(preview.returnableMax.order),
      legs: [...preview.legs.map((leg) => renderLeg(leg)), ...(issued ? [renderLeg(issued, 'issued')] : [])],
      lines: preview.lines.map(renderLine),
    };
  },
});

async function issuedBy(asking: Pick<RouteContext, 'em' | 'providers'>, orderId: number, preview: RefundPreview) {
  const scope = await readCreditScopeOfOrder(asking.em, orderId);
  const provider = scope && asking.providers.credits.active('store_credit', scope.settings);
  if (!provider) throw invalid('No provider is installed for credit type %1.', ['store_credit']);
  return legToIssue(preview.handback, provider.code);
}

const renderLine = (shown: PreviewedLine): z.input<typeof line> => ({
  order_item_id: shown.orderItemId,
  qty: quantityToWire(shown.qty),
  base_row_total: toWire(shown.baseRowTotal),
  base_credit_share: toWire(shown.baseCreditShare),
  ...(shown.basePointsAmount === undefined ? {} : { base_points_amount: toWire(shown.basePointsAmount) }),
  ...(shown.points === undefined ? {} : { points: shown.points }),
});
