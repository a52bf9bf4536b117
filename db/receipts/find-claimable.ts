import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { flag, integer, orNull, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** A receipt as far as whoever holds its token may want it in an account. */
export interface Claimable {
  receiptId: number;
  isClaimed: boolean;
  /** Absent: its order is not placed yet. */
  order: { orderId: number; websiteId: number } | undefined;
}

/**
 * The receipt of a token and its order: the one with its number, or of a refund the order that was refunded. Where two
 * stores have that number, the one of its sale.
 *
 * Refused with: 404 unknown token.
 */
export async function findClaimable(em: EntityManager, tokenDigest: string): Promise<Claimable> {
  const found = await find.first(em, { tokenDigest });
  if (!found) throw unknownReceipt();
  const { receiptId, isClaimed, orderId, websiteId } = found;
  return { receiptId, isClaimed, order: orderId === null || websiteId === null ? undefined : { orderId, websiteId } };
}

/** 404 for a token that no receipt has. It is not said again: a log line must not carry it. */
export const unknownReceipt = () => notFound('The receipt does not exist.');

/** The number of the order that a receipt `r` belongs to. A refund has no order of its own. */
export const orderNumberOf = `coalesce(r.order_increment_id,
  case when r.sale_type = 'refund' then r.original_order_increment_id end)`;

const find = statement({
  takes: { tokenDigest: text },
  gives: { receiptId: integer, isClaimed: flag, orderId: orNull(integer), websiteId: orNull(integer) },
  text: `
    select r.receipt_id, r.claimed_at is not null as is_claimed, placed.order_id, placed.website_id
    from pos_receipt r
    left join lateral (
      select o.entity_id as order_id, v.website_id
      from sales_order o join store_view v on v.store_id = o.store_id
      where o.increment_id = ${orderNumberOf}
      order by (o.pos_sale_id is not distinct from r.pos_order_id) desc, o.entity_id limit 1
    ) placed on true
    where r.token_digest = $tokenDigest`,
});
