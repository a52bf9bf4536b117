import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, orNull, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** How often one customer used a promotion, and its coupon. */
export interface CustomersUsage {
  ruleTimesUsed: number;
  couponTimesUsed: number;
}

/**
 * The usage by this customer alone (platform facts 9.4): 0 for an unknown customer, rule or code. A coupon is found
 * in any case of letters, under the shop's spelling.
 */
export async function readRuleUsage(
  em: EntityManager,
  given: { customerId: number; ruleId: number; couponCode: string | null },
): Promise<CustomersUsage> {
  const used = await read.first(em, given);
  return used ?? { ruleTimesUsed: 0, couponTimesUsed: 0 };
}

/** Customer 0 stands for all together; it is not a customer. */
const read = statement({
  takes: { customerId: integer, ruleId: integer, couponCode: orNull(text) },
  gives: { ruleTimesUsed: surely(integer), couponTimesUsed: surely(integer) },
  text: `
    select coalesce(max(u.times_used) filter (where u.kind = 'rule'), 0) as rule_times_used,
      coalesce(max(u.times_used) filter (where u.kind = 'coupon'), 0) as coupon_times_used
    from sales_rule_usage u
    where u.customer_id = $customerId and $customerId > 0 and (
      (u.kind = 'rule' and u.code = $ruleId::integer::text)
      or (u.kind = 'coupon' and u.code = coalesce((select c.code from sales_coupon c
        where lower(c.code) = lower($couponCode::text)), $couponCode)))`,
});
