import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import {
  anyCart,
  anyLine,
  couponTypes,
  freeShippingKinds,
  type Condition,
  type RuleLabel,
} from '../../../domain/platform/sales-rules/condition-tree.ts';
import { promotionActions } from '../../../domain/platform/sales-rules/promotion.ts';
import { amountColumn, computedInteger, computedTexts, zeroQuantities } from '../../support/columns.ts';
import { shopNow } from '../../support/shop-clock.ts';

/** SQL: the ids of every website or customer group, where a rule names none. */
export const websitesOf = (ids: string | undefined) => `coalesce(${ids},
  (select array_agg(website_id::text order by website_id) from website where website_id > 0))`;
export const groupsOf = (ids: string | undefined) =>
  `coalesce(${ids}, (select array_agg(id::text order by id) from customer_group))`;

/** SQL: how often all customers together used a rule or a coupon; customer 0 stands for them. */
export const usesOf = (kind: 'rule' | 'coupon', code: string) => `coalesce((select u.times_used
  from sales_rule_usage u where u.kind = '${kind}' and u.code = ${code} and u.customer_id = 0), 0)`;

/** A promotion on carts (platform facts 9.4). `SalesCoupon` has its codes, `RuleUsage` counts its uses. */
export const SalesRule = defineEntity({
  name: 'SalesRule',
  tableName: 'sales_rule',
  properties: {
    ruleId: p.bigint('number').primary().autoincrement(),
    name: p.string().length(255),
    description: p.text().default(''),
    isActive: p.boolean().default(true),
    /** Null: every website, every group. */
    websiteIds: p.array(Number, String).nullable(),
    customerGroupIds: p.array(Number, String).nullable(),
    /** The first and the last day on which it applies, in the website's time zone. */
    fromDate: p.date().nullable(),
    toDate: p.date().nullable(),
    condition: p.json<Condition>().onCreate(() => anyCart),
    /** On the goods that it discounts. */
    actionCondition: p.json<Condition>().onCreate(() => anyLine),
    /** Promotions hold in this order. */
    sortOrder: p.integer().default(0),
    stopRulesProcessing: p.boolean().default(false),
    isAdvanced: p.boolean().default(true),
    isRss: p.boolean().default(false),
    simpleAction: p.enum(promotionActions),
    /** A percentage, a count of pieces, or base currency before tax. */
    discountAmount: amountColumn(),
    ...zeroQuantities('discountQty', 'discountStep'),
    applyToShipping: p.boolean().default(false),
    simpleFreeShipping: p.enum(freeShippingKinds).default('0'),
    couponType: p.enum(couponTypes).default('NO_COUPON'),
    useAutoGeneration: p.boolean().default(false),
    storeLabels: p.json<RuleLabel[]>().defaultRaw(`'[]'::jsonb`),
    /** Each coupon's own limit. 0: any number of times. */
    usesPerCoupon: p.integer().default(0),
    usesPerCustomer: p.integer().default(0),
    /** The websites and groups that it holds for, by name where it holds for every one; and its uses by all customers. */
    shownWebsiteIds: computedTexts(({ websiteIds }) => `${websitesOf(websiteIds)}`),
    shownGroupIds: computedTexts(({ customerGroupIds }) => groupsOf(customerGroupIds)),
    timesUsed: computedInteger(({ ruleId }) => usesOf('rule', `${ruleId}::text`)),
  },
  checks: [
    { name: 'sales_rule_discounts', expression: `discount_amount >= 0 and discount_amount <> 'NaN'` },
    { name: 'sales_rule_uses_not_negative', expression: 'uses_per_coupon >= 0 and uses_per_customer >= 0' },
    { name: 'sales_rule_steps_not_negative', expression: 'discount_qty >= 0 and discount_step >= 0' },
  ],
});

export type SalesRule = InferEntity<typeof SalesRule>;

/** A code that calls up a promotion (platform facts 9.4). Its limits are those of the promotion. */
export const SalesCoupon = defineEntity({
  name: 'SalesCoupon',
  tableName: 'sales_coupon',
  properties: {
    couponId: p.bigint('number').primary().autoincrement(),
    rule: () => p.manyToOne(SalesRule).fieldName('rule_id').deleteRule('cascade'),
    code: p.string().length(255),
    isPrimary: p.boolean().default(false),
    /** Generated; else a person typed it. */
    isGenerated: p.boolean().default(false),
    /** Its uses by all customers. */
    timesUsed: computedInteger(({ code }) => usesOf('coupon', String(code))),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
  indexes: [{ properties: ['createdAt'] }, { properties: ['rule', 'couponId'] }],
  uniques: [
    {
      name: 'sales_coupon_once',
      expression: 'create unique index "sales_coupon_once" on "sales_coupon" (lower("code"))',
    },
    { name: 'sales_coupon_one_primary', properties: ['rule'], where: 'is_primary' },
  ],
});

export type SalesCoupon = InferEntity<typeof SalesCoupon>;

export const usageKinds = ['rule', 'coupon'] as const;

/** How often a promotion was used, in total (customer 0) and by one customer (platform facts 9.4). */
export const RuleUsage = defineEntity({
  name: 'RuleUsage',
  tableName: 'sales_rule_usage',
  properties: {
    usageId: p.bigint('number').primary().autoincrement(),
    kind: p.enum(usageKinds),
    /** A rule's id, or a coupon's code. */
    code: p.string().length(255),
    customerId: p.bigint('number').default(0),
    timesUsed: p.integer().default(0),
  },
  uniques: [{ name: 'sales_rule_usage_once', properties: ['kind', 'code', 'customerId'] }],
  checks: [{ name: 'sales_rule_usage_not_negative', expression: 'times_used >= 0' }],
});

export type RuleUsage = InferEntity<typeof RuleUsage>;

/** All entities of promotions. */
export const salesRuleEntities = [SalesRule, SalesCoupon, RuleUsage] as const;
