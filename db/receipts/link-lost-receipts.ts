import type { EntityManager } from '@mikro-orm/postgresql';
import { Order } from '../platform/orders/order.entity.ts';
import { integer, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { LostLink } from './lost-link.entity.ts';
import { tryLockSale } from './lock-sale.ts';

/** What one sweep looks at; the next comes a minute later. */
const mostAtOnce = 100;
/** And how long it looks: returns and mails wait behind it. */
const budgetMs = 2_000;

/** Remembers, with the order itself, that its receipt is still to be linked. A repeat changes nothing. */
export const noteLostLink = (em: EntityManager, orderId: number) => note.run(em, { orderId });

const note = statement({
  takes: { orderId: integer },
  text: 'insert into pos_receipt_lost_link (order_id) values ($orderId) on conflict (order_id) do nothing',
});

/**
 * Links the receipts of orders that could not wait for them (spec 4.9), each in a transaction of its own.
 *
 * Safe to repeat, and by any number at once: only a number that is missing is written. A sale that somebody works on is
 * left to the next sweep: nobody waits here. One that cannot be linked keeps no other waiting.
 *
 * @param failed hears of each that could not be linked
 * @returns how many orders are done with
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

/** Whoever stores the receipt after this one saw the lock free finds the order by itself. */
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

/** A claimed refund belongs to the order that was refunded, and stays there. */
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
