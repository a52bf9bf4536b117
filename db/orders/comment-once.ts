import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

export interface OrderRemark {
  orderId: number;
  /** The order's present status. */
  status: string;
  comment: string;
}

/** Adds a comment to an order's history once, however often the step runs. Under the order lock. */
export async function commentOnce(em: EntityManager, remark: OrderRemark): Promise<void> {
  await addComment.run(em, remark);
}

const addComment = statement({
  takes: { orderId: integer, comment: text, status: text },
  text: `
    insert into sales_order_status_history (parent_id, comment, status, created_at)
    select $orderId, $comment, $status, clock_timestamp()
    where not exists (select from sales_order_status_history where parent_id = $orderId and comment = $comment)`,
});
