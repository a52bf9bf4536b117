import { z } from 'zod';
import type { SalesRuleRow } from '../../../db/platform/sales-rules/search-sales-rules.ts';

/** A condition tree without conditions: true for every cart and line. */
const anyGoods = z.object({
  condition_type: z.string(),
  conditions: z.array(z.unknown()),
  aggregator_type: z.string(),
  operator: z.null(),
  value: z.string(),
});

export const salesRuleAnswer = z
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

export function renderSalesRule({ group_ids, discount_amount, from_date, to_date, ...rule }: SalesRuleRow) {
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

export const exampleRule: z.input<typeof salesRuleAnswer> = {
  ...{ rule_id: 1, name: 'Ten per cent off', store_labels: [], description: '', website_ids: [1] },
  ...{ customer_group_ids: [0, 1, 2, 3], uses_per_customer: 0, uses_per_coupon: 0, is_active: true },
  ...{ condition: whole('Combine'), action_condition: whole('Product\\Combine'), stop_rules_processing: false },
  ...{ is_advanced: true, sort_order: 0, simple_action: 'by_percent', discount_amount: 10, discount_qty: 0 },
  ...{ discount_step: 0, apply_to_shipping: false, times_used: 0, is_rss: false, coupon_type: 'SPECIFIC_COUPON' },
  ...{ use_auto_generation: false, simple_free_shipping: '0' },
};
