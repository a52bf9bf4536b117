import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundedItem } from '../../domain/refunds/quote-refund.ts';
import { perLine } from '../../domain/returns/per-line.ts';
import { newNameTail, outsideName } from '../installation/outside-name.ts';
import { flag, integer, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

export interface WishedWithoutReturn {
  orderId: number;
  items: readonly RefundedItem[];
}

/**
 * The intent of a refund without a return: these goods of this order, and a number. In the caller's transaction, with
 * the order locked.
 *
 * A new request for goods that were neither refunded nor refused has the same intent, in any collapsed return. So a
 * late call and the next one stay one refund at the gateway. A booked refund or a documented no starts the next
 * intent; each has a random part, like every outside name.
 */
export async function intentWithoutReturn(em: EntityManager, { orderId, items }: WishedWithoutReturn): Promise<string> {
  const wish = `order-${orderId}-${digestOf(items)}-`;
  const [newest, ...before] = await attemptsOf.all(em, { orderId, wish });
  if (newest && !newest.isAnswered) return newest.intent;
  const answered = [newest, ...before].filter((attempt) => attempt?.isAnswered).length;
  return outsideName(`${wish}${answered + 1}`, await newNameTail(em));
}

/** The newest first. The key is the intent followed by the amount. */
const attemptsOf = statement({
  takes: { orderId: integer, wish: text },
  gives: { isAnswered: flag, intent: text },
  text: `
    select state = 'booked' or ends_intent as is_answered, regexp_replace(idempotency_key, '-[0-9]+$', '') as intent
    from refund_attempt
    where order_id = $orderId and return_id is null and starts_with(idempotency_key, $wish)
    order by attempt_id desc`,
});

/** Short, because a gateway's keys are; the same for any order of rows. */
function digestOf(items: readonly RefundedItem[]): string {
  const rows = perLine(items)
    .map(({ orderItemId, qty }) => `${orderItemId}:${qty}`)
    .toSorted();
  return hash('sha256', rows.join(','), 'hex').slice(0, 16);
}
