import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../support/query.ts';

const balanceText = `
select coalesce(a.balance, 0) as balance from customer c
left join reward_points_account a on a.customer_id = c.id and a.website_id = $2 where c.id = $1`;

/** How many points a customer has on a website; undefined for an unknown customer. */
export async function findPoints(
  em: EntityManager,
  customerId: number,
  websiteId: number,
): Promise<number | undefined> {
  const [row] = await query<{ balance: number }>(em, balanceText, [customerId, websiteId]);
  return row?.balance;
}

/** What the ledger has of one order, and what decides whether there will be more. */
export interface PointsOfOrderRow {
  customer_id: number | null;
  state: string;
  is_paid: boolean;
  /** The sweep has not come to its last change. */
  is_due: boolean;
  earned: number;
  /** Above zero. */
  voided: number;
  /** Null: the customer has no account. */
  balance: number | null;
}

const ofOrderText = `
select o.customer_id, o.state, o.base_total_paid > 0 and o.base_total_paid >= o.base_grand_total as is_paid,
  exists (select from reward_points_due d where d.order_id = o.entity_id) as is_due,
  coalesce((select sum(e.delta) from reward_points_entry e where e.order_id = o.entity_id and e.kind = 'earned'), 0)::int
    as earned,
  coalesce((select -sum(e.delta) from reward_points_entry e where e.order_id = o.entity_id and e.kind = 'voided'), 0)::int
    as voided,
  (select a.balance from reward_points_account a where a.customer_id = o.customer_id and a.website_id = $2) as balance
from sales_order o where o.entity_id = $1`;

/** Points of an order in one read; undefined for an unknown order. */
export async function readPointsOfOrder(
  em: EntityManager,
  orderId: number,
  websiteId: number,
): Promise<PointsOfOrderRow | undefined> {
  const [row] = await query<PointsOfOrderRow>(em, ofOrderText, [orderId, websiteId]);
  return row;
}
