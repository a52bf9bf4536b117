import type { EntityManager } from '@mikro-orm/postgresql';
import { money } from '../../../domain/money/amount.ts';
import type { CouponAction, Discount } from '../../../domain/platform/carts/coupon.ts';
import { query } from '../../support/query.ts';

/** A coupon that is good for a buyer now; the discount is in base currency. */
export interface Coupon {
  ruleId: number;
  /** As the shop writes it. */
  code: string;
  name: string;
  discount: Discount;
}

export interface CouponBuyer {
  code: string;
  websiteId: number;
  groupId: number;
  customerId: number;
  now: Date;
}

interface RuleRow {
  rule_id: number;
  coupon_code: string;
  name: string;
  simple_action: CouponAction;
  discount_amount: string;
  uses_per_coupon: number;
  uses_per_customer: number;
}

const ruleText = `
select r.rule_id, r.coupon_code, r.name, r.simple_action, r.discount_amount, r.uses_per_coupon, r.uses_per_customer
from sales_rule r join website w on w.website_id = $2::int
where lower(r.coupon_code) = lower($1) and r.is_active
  and (r.website_ids is null or $2::int::text = any(r.website_ids))
  and (r.customer_group_ids is null or $3::int::text = any(r.customer_group_ids))
  and (r.from_date is null or r.from_date <= ($4::timestamptz at time zone w.time_zone)::date)
  and (r.to_date is null or r.to_date >= ($4::timestamptz at time zone w.time_zone)::date)`;

const usageText = `
select customer_id, times_used from sales_rule_usage where kind = 'coupon' and code = $1 and customer_id in (0, $2)`;

/**
 * The coupon of a code, whatever its case, when it is good for this buyer and not used up (platform facts 9.4).
 *
 * @param isBinding locks the promotion until the transaction ends, so that of several last uses one is granted
 */
export async function findCoupon(
  em: EntityManager,
  { code, websiteId, groupId, customerId, now }: CouponBuyer,
  { isBinding }: { isBinding: boolean },
): Promise<Coupon | undefined> {
  const text = isBinding ? `${ruleText} for update of r` : ruleText;
  const [row] = await query<RuleRow>(em, text, [code, websiteId, groupId, now]);
  if (!row || (await isUsedUp(em, row, customerId))) return undefined;
  const discount = { action: row.simple_action, amount: money(row.discount_amount) };
  return { ruleId: row.rule_id, code: row.coupon_code, name: row.name, discount };
}

/** Counted under the code as the shop writes it. */
async function isUsedUp(em: EntityManager, rule: RuleRow, customerId: number): Promise<boolean> {
  if (rule.uses_per_coupon === 0 && rule.uses_per_customer === 0) return false;
  const rows = await query<{ customer_id: number; times_used: number }>(em, usageText, [rule.coupon_code, customerId]);
  const used = (id: number) => rows.find((row) => row.customer_id === id)?.times_used ?? 0;
  const isOver = (limit: number, times: number) => limit > 0 && times >= limit;
  return isOver(rule.uses_per_coupon, used(0)) || isOver(rule.uses_per_customer, used(customerId));
}
