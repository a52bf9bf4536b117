import type { EntityManager } from '@mikro-orm/postgresql';
import type { Discount } from '../../../domain/platform/carts/coupon.ts';
import { integer, moment, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { RuleUsage } from './rule-usage.entity.ts';
import { SalesRule } from './sales-rule.entity.ts';

/** A coupon that a buyer may use now; the discount is in base currency. */
export interface Coupon {
  ruleId: number;
  /** In the shop's spelling. */
  code: string;
  name: string;
  discount: Discount;
}

export interface CouponBuyer {
  code: string;
  websiteId: number;
  groupId: number;
  /** Null: a guest, whose uses are not counted. */
  customerId: number | null;
  now: Date;
}

const wording = {
  takes: { code: text, websiteId: integer, groupId: integer, now: moment },
  gives: of(
    SalesRule,
    ...([
      'ruleId',
      'couponCode',
      'name',
      'simpleAction',
      'discountAmount',
      'usesPerCoupon',
      'usesPerCustomer',
    ] as const),
  ),
};

const ruleText = `
  select r.rule_id, r.coupon_code, r.name, r.simple_action, r.discount_amount, r.uses_per_coupon, r.uses_per_customer
  from sales_rule r join website w on w.website_id = $websiteId::int
  where lower(r.coupon_code) = lower($code) and r.is_active
    and (r.website_ids is null or $websiteId::int::text = any(r.website_ids))
    and (r.customer_group_ids is null or $groupId::int::text = any(r.customer_group_ids))
    and (r.from_date is null or r.from_date <= ($now::timestamptz at time zone w.time_zone)::date)
    and (r.to_date is null or r.to_date >= ($now::timestamptz at time zone w.time_zone)::date)`;

const read = statement({ ...wording, text: ruleText });
const lock = statement({ ...wording, text: `${ruleText} for update of r` });

const readUsage = statement({
  takes: { code: text, customerId: integer },
  gives: of(RuleUsage, 'customerId', 'timesUsed'),
  text: `
    select customer_id, times_used from sales_rule_usage
    where kind = 'coupon' and code = $code and customer_id in (0, $customerId)`,
});

/**
 * The coupon of a code, in any case of letters, when this buyer may use it and it is not used up (platform facts
 * 9.4).
 *
 * @param isBinding locks the promotion until the transaction ends, so that only one of concurrent last uses succeeds
 */
export async function findCoupon(
  em: EntityManager,
  { code, websiteId, groupId, customerId, now }: CouponBuyer,
  { isBinding }: { isBinding: boolean },
): Promise<Coupon | undefined> {
  const buyer = { code, websiteId, groupId, now };
  const rule = await (isBinding ? lock : read).first(em, buyer);
  if (!rule || (await isUsedUp(em, rule, customerId))) return undefined;
  const discount = { action: rule.simpleAction, amount: rule.discountAmount };
  return { ruleId: rule.ruleId, code: rule.couponCode, name: rule.name, discount };
}

/** Counted under the code as the shop writes it. */
async function isUsedUp(em: EntityManager, rule: RowFrom<typeof read>, customerId: number | null): Promise<boolean> {
  const { usesPerCoupon, usesPerCustomer } = rule;
  if (usesPerCoupon === 0 && usesPerCustomer === 0) return false;
  const rows = await readUsage.all(em, { code: rule.couponCode, customerId: customerId ?? 0 });
  const used = (id: number) => rows.find((row) => row.customerId === id)?.timesUsed ?? 0;
  const isOver = (limit: number, times: number) => limit > 0 && times >= limit;
  return isOver(usesPerCoupon, used(0)) || (customerId !== null && isOver(usesPerCustomer, used(customerId)));
}
