import { z } from 'zod';
import { searchSalesRules, type SalesRuleRow } from '../../../db/platform/sales-rules/search-sales-rules.ts';
import { listRoute } from '../../support/list-route.ts';

const salesRuleAnswer = z.object({
  rule_id: z.int(),
  name: z.string(),
  website_ids: z.array(z.int()),
  customer_group_ids: z.array(z.int()),
  from_date: z.string().optional(),
  to_date: z.string().optional(),
  uses_per_customer: z.int(),
  uses_per_coupon: z.int(),
  is_active: z.boolean(),
  stop_rules_processing: z.boolean(),
  simple_action: z.string(),
  discount_amount: z.number(),
  discount_step: z.int(),
  apply_to_shipping: z.boolean(),
  times_used: z.int(),
  coupon_type: z.string(),
  simple_free_shipping: z.string(),
});

/** Promotions, for a register that adds up without us; each is called up by its one coupon (platform facts 9.4). */
export const listSalesRules = listRoute({
  path: '/V1/salesRules/search',
  acl: 'Platform_SalesRule::quote',
  summary: 'Search promotions',
  answer: salesRuleAnswer,
  find: searchSalesRules,
  render: renderSalesRule,
});

function renderSalesRule({ group_ids, discount_amount, from_date, to_date, ...rule }: SalesRuleRow) {
  return {
    rule_id: rule.rule_id,
    name: rule.name,
    website_ids: (rule.website_ids ?? []).map(Number),
    customer_group_ids: (group_ids ?? []).map(Number),
    ...(from_date === null ? {} : { from_date }),
    ...(to_date === null ? {} : { to_date }),
    uses_per_customer: rule.uses_per_customer,
    uses_per_coupon: rule.uses_per_coupon,
    is_active: rule.is_active,
    stop_rules_processing: false,
    simple_action: rule.simple_action,
    discount_amount: Number(discount_amount),
    discount_step: 0,
    apply_to_shipping: false,
    times_used: rule.times_used,
    coupon_type: 'SPECIFIC_COUPON',
    simple_free_shipping: '0',
  };
}
