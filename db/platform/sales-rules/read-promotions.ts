import type { EntityManager } from '@mikro-orm/postgresql';
import { lockAdvisory } from '../../support/lock-advisory.ts';

import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';

/** A promotion that a buyer may use now. Its conditions are not checked yet; money is in base currency. */
export type OpenPromotion = RowFrom<typeof selectPromotions>;

export interface Buyer {
  /** The coupon that was entered, in any case of letters. */
  code: string | null;
  websiteId: number;
  groupId: number;
  /** Null: a guest, whose uses are not counted. */
  customerId: number | null;
  now: Date;
}

/** An order keeps a list of ids of 255 characters. */
const mostPromotions = 40;

const selectPromotions = sql('read-promotions.selectPromotions')`
  select r.rule_id, r.condition, r.action_condition, r.simple_action, r.discount_amount, r.discount_qty,
    r.discount_step, r.apply_to_shipping, r.stop_rules_processing, r.simple_free_shipping, r.store_labels,
    r.uses_per_coupon, r.uses_per_customer, c.code as coupon_code
  from sales_rule r join website w on w.website_id = $websiteId::bigint
    left join sales_coupon c on c.rule_id = r.rule_id and lower(c.code) = lower($code?::text)
      and r.coupon_type <> 'NO_COUPON'
  where r.is_active and (r.coupon_type = 'NO_COUPON' or c.coupon_id is not null)
    and (r.website_ids is null or $websiteId::bigint::text = any(r.website_ids))
    and (r.customer_group_ids is null or $groupId::bigint::text = any(r.customer_group_ids))
    and (r.from_date is null or r.from_date <= ($now::timestamptz at time zone w.time_zone)::date)
    and (r.to_date is null or r.to_date >= ($now::timestamptz at time zone w.time_zone)::date)
  order by r.sort_order, r.rule_id limit $most`;

/**
 * The promotions of a website and customer group that hold today, that need no coupon or have the one entered, and that
 * are not used up; in their order, at most 40 (platform facts 9.4).
 *
 * @param isBinding waits for orders with the same coupon, or of the same customer with the same limited promotion, until
 *   they are committed: only one of concurrent last uses succeeds
 */
export async function readPromotions(
  em: EntityManager,
  { code, customerId, ...buyer }: Buyer,
  { isBinding }: { isBinding: boolean },
): Promise<OpenPromotion[]> {
  if (isBinding && code !== null) await lockCoupon.run(em, { code });
  const open = await selectPromotions.all(em, { ...buyer, code, most: mostPromotions });
  const limited = open.filter((one) => one.usesPerCustomer > 0 || (one.couponCode !== null && one.usesPerCoupon > 0));
  if (limited.length === 0) return open;
  if (isBinding && customerId !== null) await lockUses(em, limited, customerId);
  const used = await readUsage.all(em, {
    codes: limited.flatMap(({ ruleId, couponCode }) => [String(ruleId), ...(couponCode === null ? [] : [couponCode])]),
    customerId: customerId ?? 0,
  });
  return open.filter((one) => !limited.includes(one) || !isUsedUp(one, used, customerId));
}

const lockCoupon = sql('read-promotions.lockCoupon')`
  select from sales_coupon where lower(code) = lower($code) for no key update`;

/** In one order, so that two orders of a customer wait for each other and never deadlock. */
async function lockUses(em: EntityManager, limited: readonly OpenPromotion[], customerId: number): Promise<void> {
  const ids = limited.map(({ ruleId }) => ruleId).toSorted((one, other) => one - other);
  for (const ruleId of ids) await lockAdvisory(em, `promotion ${ruleId} of customer ${customerId}`);
}

const readUsage = sql('read-promotions.readUsage')`
  select kind, code, customer_id, times_used from sales_rule_usage
  where kind in ('rule', 'coupon') and code = any($codes::text[]) and customer_id in (0, $customerId)`;

/** Each coupon has its own limits; the promotion's limit per customer is of all of them together. */
function isUsedUp(
  { ruleId, couponCode, usesPerCoupon, usesPerCustomer }: OpenPromotion,
  rows: readonly RowFrom<typeof readUsage>[],
  customerId: number | null,
): boolean {
  const times = (kind: 'rule' | 'coupon', code: string, of: number) =>
    rows.find((row) => row.kind === kind && row.code === code && row.customerId === of)?.timesUsed ?? 0;
  const isOver = (limit: number, used: number) => limit > 0 && used >= limit;
  if (couponCode !== null && isOver(usesPerCoupon, times('coupon', couponCode, 0))) return true;
  if (customerId === null) return false;
  if (couponCode !== null && isOver(usesPerCustomer, times('coupon', couponCode, customerId))) return true;
  return isOver(usesPerCustomer, times('rule', String(ruleId), customerId));
}
