import type { EntityManager } from '@mikro-orm/postgresql';

export interface OrderRemark {
  orderId: number;
  /** The order's own, as it stands. */
  status: string;
  comment: string;
}

/** A line of an order's history that is there once, however often the step that tells it runs. Under the order lock. */
export async function sayOnce(em: EntityManager, { orderId, status, comment }: OrderRemark): Promise<void> {
  await em.execute(
    `insert into sales_order_status_history (parent_id, comment, status, created_at)
     select ?, ?, ?, clock_timestamp()
     where not exists (select from sales_order_status_history where parent_id = ? and comment = ?)`,
    [orderId, comment, status, orderId, comment],
  );
}
