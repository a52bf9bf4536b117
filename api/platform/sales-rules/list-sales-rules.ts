import { z } from 'zod';
import { searchSalesRules, type SalesRuleRow } from '../../../db/platform/sales-rules/search-sales-rules.ts';
import { listRoute } from '../../http/list-route.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** A condition tree without conditions: true for every cart and line. */
const anyGoods = z.object({
  condition_type: z.string(),
  conditions: z.array(z.unknown()),
  aggregator_type: z.string(),
  operator: z.null(),
  value: z.string(),
});

const salesRuleAnswer = z
  .object({
    rule_id: z.int(),
    name: z.string(),
    store_labels: z.array(z.unknown()),
    description: z.string(),
    website_ids: z.array(z.int()),
    customer_group_ids: z.array(z.int()),
    from_date: z.string().optional(),
    to_date: z.string().optional(),
    uses_per_customer: z.int(),
    uses_per_coupon: z.int(),
    is_active: z.boolean(),
    condition: anyGoods,
    action_condition: anyGoods,
    stop_rules_processing: z.boolean(),
    is_advanced: z.boolean(),
    sort_order: z.int(),
    simple_action: z.string(),
    discount_amount: z.number(),
    discount_qty: z.number(),
    discount_step: z.int(),
    apply_to_shipping: z.boolean(),
    times_used: z.int(),
    is_rss: z.boolean(),
    coupon_type: z.string(),
    use_auto_generation: z.boolean(),
    simple_free_shipping: z.string(),
  })
  .meta({ id: 'SalesRule' });

/** Promotions, for a register that calculates totals itself; each has one coupon (platform facts 9.4). */
export const listSalesRules = listRoute({
  path: '/V1/salesRules/search',
  acl: 'Platform_SalesRule::quote',
  summary: 'Search promotions',
  name: 'listSalesRules',
  description: `Promotions, for a register that adds up by itself. Each is called up by its one coupon.
    \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: salesRuleAnswer,
  find: searchSalesRules,
  render: renderSalesRule,
});

function renderSalesRule({ group_ids, discount_amount, from_date, to_date, ...rule }: SalesRuleRow) {
  return {
    rule_id: rule.rule_id,
    name: rule.name,
    store_labels: [],
    description: '',
    website_ids: (rule.website_ids ?? []).map(Number),
    customer_group_ids: (group_ids ?? []).map(Number),
    ...(from_date === null ? {} : { from_date }),
    ...(to_date === null ? {} : { to_date }),
    uses_per_customer: rule.uses_per_customer,
    uses_per_coupon: rule.uses_per_coupon,
    is_active: rule.is_active,
    condition: whole('Combine'),
    action_condition: whole('Product\\Combine'),
    stop_rules_processing: false,
    is_advanced: true,
    sort_order: 0,
    simple_action: rule.simple_action,
    discount_amount: Number(discount_amount),
    // 0: any number of pieces.
    discount_qty: 0,
    discount_step: 0,
    apply_to_shipping: false,
    times_used: rule.times_used,
    is_rss: false,
    coupon_type: 'SPECIFIC_COUPON',
    use_auto_generation: false,
    simple_free_shipping: '0',
  };
}

/** The values that clients of the platform expect. Our rules only check a cart's coupon, website, group and day. */
const whole = (kind: string) => ({
  condition_type: `Magento\\SalesRule\\Model\\Rule\\Condition\\${kind}`,
  conditions: [],
  aggregator_type: 'all',
  operator: null,
  value: '1',
});
