import type { EntityManager } from '@mikro-orm/postgresql';
import { Order } from '../platform/orders/order.entity.ts';
import { integer, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { LostLink } from './lost-link.entity.ts';
import { tryLockSale } from './lock-sale.ts';

/** The most orders one sweep takes. The next sweep comes a minute later. */
const mostAtOnce = 100;
/** The longest one sweep may take: returns and mails wait for it. */
const budgetMs = 2_000;

/** Notes, in the order's transaction, that its receipt must still be linked. A repeat changes nothing. */
export const noteLostLink = (em: EntityManager, orderId: number) => note.run(em, { orderId });

const note = statement({
  takes: { orderId: integer },
  text: 'insert into pos_receipt_lost_link (order_id) values ($orderId) on conflict (order_id) do nothing',
});

/**
 * Links the receipts that could not be linked when their order was saved (spec 4.9). Each has its own transaction.
 *
 * Safe to repeat, also many times at once: it writes only a number that is missing. A sale that another transaction has
 * locked is left to the next sweep. One that fails does not stop the others.
 *
 * @param failed called for each order whose receipt could not be linked
 * @returns how many orders were handled
 */
export async function linkLostReceipts(
  em: EntityManager,
  { failed, withinMs = budgetMs }: { failed?: (orderId: number, error: unknown) => void; withinMs?: number } = {},
): Promise<number> {
  const until = performance.now() + withinMs;
  let done = 0;
  for (const lost of await find.all(em, { mostAtOnce })) {
    if (performance.now() >= until) break;
    try {
      if (await transact(em, (tx) => linkOne(tx, lost))) done++;
    } catch (error) {
      failed?.(lost.orderId, error);
    }
  }
  return done;
}

/** When the sale has no receipt yet, `saveReceipt` will take this lock later and find the order itself. */
async function linkOne(tx: EntityManager, { orderId, incrementId, posSaleId }: RowFrom<typeof find>): Promise<boolean> {
  if (!(await tryLockSale(tx, posSaleId))) return false;
  await link.run(tx, { incrementId, posSaleId });
  await forget.run(tx, { orderId });
  return true;
}

const find = statement({
  takes: { mostAtOnce: integer },
  gives: { ...of(LostLink, 'orderId'), ...of(Order, 'incrementId'), posSaleId: surely(text) },
  text: `
    select l.order_id, o.increment_id, o.pos_sale_id
    from pos_receipt_lost_link l join sales_order o on o.entity_id = l.order_id
    where o.pos_sale_id is not null order by l.created_at limit $mostAtOnce`,
});

/** The receipt of a claimed refund stays with the order that was refunded. */
const link = statement({
  takes: { incrementId: text, posSaleId: text },
  text: `
    update pos_receipt set order_increment_id = $incrementId, updated_at = now()
    where pos_order_id = $posSaleId and order_increment_id is null and claimed_at is null`,
});

const forget = statement({
  takes: { orderId: integer },
  text: 'delete from pos_receipt_lost_link where order_id = $orderId',
});
