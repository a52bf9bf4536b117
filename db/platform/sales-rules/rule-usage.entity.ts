import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

export const usageKinds = ['rule', 'coupon'] as const;

/** How often a promotion was used, in total (customer 0) and by one customer (platform facts 9.4). */
export const RuleUsage = defineEntity({
  name: 'RuleUsage',
  tableName: 'sales_rule_usage',
  properties: {
    usageId: p.integer().primary().autoincrement(),
    kind: p.enum(usageKinds),
    /** A rule's id, or a coupon's code. */
    code: p.string().length(255),
    customerId: p.integer().default(0),
    timesUsed: p.integer().default(0),
  },
  uniques: [{ name: 'sales_rule_usage_once', properties: ['kind', 'code', 'customerId'] }],
  checks: [{ name: 'sales_rule_usage_not_negative', expression: 'times_used >= 0' }],
});

export type RuleUsage = InferEntity<typeof RuleUsage>;
