import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundedItem } from '../../domain/refunds/quote-refund.ts';
import { perLine } from '../../domain/returns/per-line.ts';
import { query } from '../support/query.ts';

export interface WishedWithoutReturn {
  orderId: number;
  items: readonly RefundedItem[];
}

/**
 * The intent of a refund without a return: these goods of this order, and which time. In the caller's transaction, with
 * the order locked.
 *
 * Whoever asks again for what nobody gave and nobody refused has the same intent, whatever run asks, so that a call of
 * before that comes late and the next one stay one refund at the gateway. It moves on with a refund that was booked and
 * with a documented no.
 */
export async function intentWithoutReturn(em: EntityManager, { orderId, items }: WishedWithoutReturn): Promise<string> {
  const wish = `order-${orderId}-${digestOf(items)}-`;
  const [row] = await query<{ answered: number }>(em, answeredText, [orderId, wish]);
  return `${wish}${(row?.answered ?? 0) + 1}`;
}

const answeredText = `
select count(*)::int as answered from refund_attempt
where order_id = $1 and return_id is null and (state = 'booked' or ends_intent) and starts_with(idempotency_key, $2)`;

/** Short, because a gateway's keys are; the same whatever rows the goods came in, and in what order. */
function digestOf(items: readonly RefundedItem[]): string {
  const rows = perLine(items)
    .map(({ orderItemId, qty }) => `${orderItemId}:${qty}`)
    .toSorted();
  return hash('sha256', rows.join(','), 'hex').slice(0, 16);
}
