import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';

export interface CommentByHand {
  returnId: number;
  comment: string;
  author: string;
  /** Whether the customer may read it. */
  isForCustomer: boolean;
}

/** A comment that was written, and whose return it is about. */
export interface WrittenComment {
  commentId: number;
  incrementId: string;
  customerEmail: string | null;
  storeId: number;
}

interface Row {
  comment_id: number;
  increment_id: string;
  customer_email: string | null;
  store_id: number;
}

/**
 * Adds a line to the history of a return, in any status. A repeat adds another.
 *
 * One statement, no lock: a comment changes nothing else. Refused with: 404 unknown return.
 */
export async function commentReturn(
  em: EntityManager,
  { returnId, comment, author, isForCustomer }: CommentByHand,
): Promise<WrittenComment> {
  const [row] = await em.execute<Row[]>(
    `with written as (
       insert into sale_return_comment (return_id, comment, is_visible_on_front, status, author)
       select return_id, ?, ?, status, ? from sale_return where return_id = ?
       returning comment_id, return_id
     )
     select w.comment_id, r.increment_id, o.customer_email, o.store_id
     from written w join sale_return r on r.return_id = w.return_id join sales_order o on o.entity_id = r.order_id`,
    [comment, isForCustomer, author.slice(0, 255), returnId],
  );
  if (!row) throw notFound('Return with id %1 does not exist', [returnId]);
  return {
    commentId: row.comment_id,
    incrementId: row.increment_id,
    customerEmail: row.customer_email,
    storeId: row.store_id,
  };
}

/** Notes that the customer was told: only once the mail server has taken the mail. */
export async function markCustomerNotified(em: EntityManager, commentId: number): Promise<void> {
  await em.execute('update sale_return_comment set is_customer_notified = true where comment_id = ?', [commentId]);
}
