import { maskCode } from '../../domain/credits/applied-credit.ts';
import { amountText } from './amount-text.ts';
import { at, list } from './json-sql.ts';
import type { SaleRows } from './sale-rows.ts';
import { event, type StoryEvent } from './story.ts';
import type { CreditRefundRow } from './credit-refund-row.ts';

/** The rows of an order `o`, as JSON. */
export const creditRefundRows = list(
  {
    refundId: 'f.refund_id',
    kind: 'f.kind',
    code: 'f.code',
    amount: 'f.amount::text',
    state: 'f.state',
    message: 'f.message',
    at: at('coalesce(f.concluded_at, f.created_at)'),
  },
  'from credit_refund f where f.order_id = o.entity_id',
  'f.refund_id',
);

/** The outcome of each: given, refused, or not known yet. */
export const creditRefundEvents = ({ order, creditRefunds }: SaleRows): StoryEvent[] =>
  creditRefunds.map((refund) =>
    event({ at: refund.at, what: describeRefund(refund), amount: amountText(refund.amount, order.currency) }),
  );

function describeRefund({ refundId, kind, code, state, message }: CreditRefundRow): string {
  const where = {
    store_credit: 'store credit',
    gift_card: `gift card ${maskCode(code ?? '')}`,
    reward_points: 'reward points',
  }[kind];
  const refund = `Refund ${refundId} to ${where}`;
  if (state === 'booked') return `${refund} was given.`;
  if (state === 'failed') return `${refund} was not given: ${message ?? 'it was refused'}`;
  return `${refund} is reserved; its provider did not say whether it was given, and is asked again by itself.`;
}
