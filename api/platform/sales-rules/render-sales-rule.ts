import { z } from 'zod';
import type { SalesRuleRow } from '../../../db/platform/sales-rules/search-sales-rules.ts';
import { conditionAnswer, renderCondition } from './condition-payload.ts';
import { anyCart, anyLine } from '../../../domain/platform/sales-rules/condition-tree.ts';

export const salesRuleAnswer = z
  .object({
    rule_id: z.int(),
    name: z.string(),
    store_labels: z.array(z.object({ store_id: z.int(), store_label: z.string() })),
    description: z.string(),
    website_ids: z.array(z.int()),
    customer_group_ids: z.array(z.int()),
    from_date: z.string().optional(),
    to_date: z.string().optional(),
    uses_per_customer: z.int(),
    uses_per_coupon: z.int(),
    is_active: z.boolean(),
    condition: conditionAnswer,
    action_condition: conditionAnswer,
    stop_rules_processing: z.boolean(),
    is_advanced: z.boolean(),
    sort_order: z.int(),
    simple_action: z.string(),
    discount_amount: z.number(),
    discount_qty: z.number(),
    discount_step: z.number(),
    apply_to_shipping: z.boolean(),
    times_used: z.int(),
    is_rss: z.boolean(),
    coupon_type: z.string(),
    use_auto_generation: z.boolean(),
    simple_free_shipping: z.string(),
  })
  .meta({ id: 'SalesRule' });

export function renderSalesRule({
  group_ids,
  from_date,
  to_date,
  ...rule
}: SalesRuleRow): z.input<typeof salesRuleAnswer> {
  return {
    rule_id: rule.rule_id,
    name: rule.name,
    store_labels: rule.store_labels.map(({ storeId, label }) => ({ store_id: storeId, store_label: label })),
    description: rule.description,
    website_ids: (rule.website_ids ?? []).map(Number),
    customer_group_ids: (group_ids ?? []).map(Number),
    ...(from_date === null ? {} : { from_date }),
    ...(to_date === null ? {} : { to_date }),
    uses_per_customer: rule.uses_per_customer,
    uses_per_coupon: rule.uses_per_coupon,
    is_active: rule.is_active,
    condition: renderCondition(rule.condition),
    action_condition: renderCondition(rule.action_condition),
    stop_rules_processing: rule.stop_rules_processing,
    is_advanced: rule.is_advanced,
    sort_order: rule.sort_order,
    simple_action: rule.simple_action,
    discount_amount: Number(rule.discount_amount),
    discount_qty: Number(rule.discount_qty),
    discount_step: Number(rule.discount_step),
    apply_to_shipping: rule.apply_to_shipping,
    times_used: rule.times_used,
    is_rss: rule.is_rss,
    coupon_type: rule.coupon_type,
    use_auto_generation: rule.use_auto_generation,
    simple_free_shipping: rule.simple_free_shipping,
  };
}

export const exampleRule: z.input<typeof salesRuleAnswer> = {
  ...{ rule_id: 1, name: 'Ten per cent off', store_labels: [], description: '', website_ids: [1] },
  ...{ customer_group_ids: [0, 1, 2, 3], uses_per_customer: 0, uses_per_coupon: 0, is_active: true },
  ...{ condition: renderCondition(anyCart), action_condition: renderCondition(anyLine), stop_rules_processing: false },
  ...{ is_advanced: true, sort_order: 0, simple_action: 'by_percent', discount_amount: 10, discount_qty: 0 },
  ...{ discount_step: 0, apply_to_shipping: false, times_used: 0, is_rss: false, coupon_type: 'SPECIFIC_COUPON' },
  ...{ use_auto_generation: false, simple_free_shipping: '0' },
};
