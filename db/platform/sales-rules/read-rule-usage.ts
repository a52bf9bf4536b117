import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, orNull, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** How often one customer used a promotion, and its coupon. */
export interface CustomersUsage {
  ruleTimesUsed: number;
  couponTimesUsed: number;
}

/**
 * Counts of this customer alone (platform facts 9.4): 0 for a customer, a rule or a code nobody knows. A coupon is found
 * whatever its case, under the code as the shop writes it.
 */
export async function readRuleUsage(
  em: EntityManager,
  given: { customerId: number; ruleId: number; couponCode: string | null },
): Promise<CustomersUsage> {
  const used = await read.first(em, given);
  return used ?? { ruleTimesUsed: 0, couponTimesUsed: 0 };
}

/** Customer 0 is everybody together, and nobody's own. */
const read = statement({
  takes: { customerId: integer, ruleId: integer, couponCode: orNull(text) },
  gives: { ruleTimesUsed: surely(integer), couponTimesUsed: surely(integer) },
  text: `
    select coalesce(max(u.times_used) filter (where u.kind = 'rule'), 0) as rule_times_used,
      coalesce(max(u.times_used) filter (where u.kind = 'coupon'), 0) as coupon_times_used
    from sales_rule_usage u
    where u.customer_id = $customerId and $customerId > 0 and (
      (u.kind = 'rule' and u.code = $ruleId::integer::text)
      or (u.kind = 'coupon' and u.code = coalesce((select r.coupon_code from sales_rule r
        where lower(r.coupon_code) = lower($couponCode::text)), $couponCode)))`,
});
