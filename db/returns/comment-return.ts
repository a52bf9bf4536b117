import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { unknownReturn } from './lock-return.ts';

export interface CommentByHand {
  returnId: number;
  comment: string;
  author: string;
  /** Whether the customer may read it. */
  isForCustomer: boolean;
}

/** A new comment, and the return it belongs to. */
export type WrittenComment = RowFrom<typeof write>;

/**
 * Adds a comment to the history of a return, in any status. A repeat adds another one.
 *
 * One statement, no lock: a comment changes nothing else. Refused with: 404 unknown return.
 */
export async function commentReturn(em: EntityManager, input: CommentByHand): Promise<WrittenComment> {
  const written = await write.first(em, { ...input, author: input.author.slice(0, 255) });
  if (!written) throw unknownReturn(input.returnId);
  return written;
}

const write = sql('comment-return.write')`
  with written as (
    insert into sale_return_comment (return_id, comment, is_visible_on_front, status, author)
    select return_id, $comment, $isForCustomer, status, $author from sale_return where return_id = $returnId
    returning comment_id, return_id
  )
  select w.comment_id, r.increment_id, o.customer_email, o.store_id
  from written w join sale_return r on r.return_id = w.return_id join sales_order o on o.entity_id = r.order_id`;

/** Records that the customer was notified, once the mail server has taken the mail. */
export async function markCustomerNotified(em: EntityManager, commentId: number): Promise<void> {
  await mark.run(em, { commentId });
}

const mark = sql('comment-return.mark')`
  update sale_return_comment set is_customer_notified = true where comment_id = $commentId`;
