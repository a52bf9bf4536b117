import type { EntityManager } from '@mikro-orm/postgresql';
import { voidedPoints, pointsRules, type ReturnedOfOrder } from '../../domain/reward-points.ts';
import { readCreditScopeOfOrder } from '../credit-stores/read-credit-scope.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** A customer's points on a website; undefined for an unknown customer. */
export const findPoints = async (
  em: EntityManager,
  customerId: number,
  websiteId: number,
): Promise<number | undefined> => (await readBalance.first(em, { customerId, websiteId }))?.balance;

const readBalance = sql('read-points.readBalance')`
  select coalesce(a.balance, 0) as balance from customer c
  left join reward_points_account a on a.customer_id = c.id and a.website_id = $websiteId
  where c.id = $customerId`;

/** The ledger's entries of one order, and what decides whether more will follow. */
export type PointsOfOrderRow = RowFrom<typeof readOfOrder>;

/** Points of an order in one read; undefined for an unknown order. */
export const readPointsOfOrder = (
  em: EntityManager,
  orderId: number,
  websiteId: number,
): Promise<PointsOfOrderRow | undefined> => readOfOrder.first(em, { orderId, websiteId });

const readOfOrder = sql('read-points.readOfOrder')`
  select o.customer_id, o.state, o.base_total_paid, o.base_total_refunded, o.base_total_paid > 0
    and o.base_total_paid >= o.base_grand_total as is_paid,
    g.goods, g.goods_returned,
    exists (select from reward_points_due d where d.order_id = o.entity_id) as is_due,
    coalesce((select sum(e.delta) from reward_points_entry e
      where e.order_id = o.entity_id and e.kind = 'earned'), 0)::int as earned,
    coalesce((select -sum(e.delta) from reward_points_entry e
      where e.order_id = o.entity_id and e.kind = 'voided'), 0)::int as voided,
    coalesce((select w.points from reward_points_owed w where w.order_id = o.entity_id), 0) as owed,
    (select a.balance from reward_points_account a
      where a.customer_id = o.customer_id and a.website_id = $websiteId) as balance
  from sales_order o
  cross join lateral (
    select coalesce(sum(base_row_total - abs(base_discount_amount)), 0) as goods,
      coalesce(sum(base_amount_refunded - abs(base_discount_refunded)), 0) as goods_returned
    from sales_order_item where order_id = o.entity_id and parent_item_id is null) g
  where o.entity_id = $orderId`;

/**
 * The points of an order that are void and spent, so that later ones pay for them: as they are booked, or as they will
 * be within a minute. Reads only.
 */
export async function readPointsOwed(em: EntityManager, orderId: number): Promise<number> {
  const scope = await readCreditScopeOfOrder(em, orderId);
  const row = scope && (await readPointsOfOrder(em, orderId, scope.websiteId));
  if (!row || row.earned === 0) return 0;
  const { earned, voided, owed, balance, isDue } = row;
  if (!isDue) return owed;
  const target = voidedPoints(earned, returnedOf(row), pointsRules(scope.settings).granularity);
  return owed + Math.max(0, target - voided - owed - (balance ?? 0));
}

/** The figures of an order by which its points are voided. */
export const returnedOf = ({
  baseTotalPaid,
  baseTotalRefunded,
  goods,
  goodsReturned,
}: PointsOfOrderRow): ReturnedOfOrder => ({
  totalPaid: baseTotalPaid,
  totalRefunded: baseTotalRefunded,
  goods,
  goodsReturned,
});
