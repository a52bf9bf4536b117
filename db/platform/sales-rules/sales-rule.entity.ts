import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { couponActions } from '../../../domain/platform/carts/coupon.ts';
import { amountColumn } from '../../support/columns.ts';

/**
 * A promotion with a coupon (platform facts 9.4). `RuleUsage` counts its uses.
 *
 * A small part of the platform's rules, our choice: one coupon each, on the whole cart's goods.
 */
export const SalesRule = defineEntity({
  name: 'SalesRule',
  tableName: 'sales_rule',
  properties: {
    ruleId: p.integer().primary().autoincrement(),
    name: p.string().length(255),
    couponCode: p.string().length(255),
    isActive: p.boolean().default(true),
    /** Null: every website, every group. */
    websiteIds: p.array(Number, String).nullable(),
    customerGroupIds: p.array(Number, String).nullable(),
    /** The first and the last day on which it applies, in the website's time zone. */
    fromDate: p.date().nullable(),
    toDate: p.date().nullable(),
    simpleAction: p.enum(couponActions),
    /** A percentage, or base currency before tax. */
    discountAmount: amountColumn(),
    /** 0: any number of times. */
    usesPerCoupon: p.integer().default(0),
    usesPerCustomer: p.integer().default(0),
    /** When its coupon was made. */
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
  uniques: [
    {
      name: 'sales_rule_coupon_once',
      expression: 'create unique index "sales_rule_coupon_once" on "sales_rule" (lower("coupon_code"))',
    },
  ],
  checks: [
    {
      name: 'sales_rule_discounts',
      expression: `discount_amount > 0 and discount_amount <> 'NaN' and (simple_action <> 'by_percent' or discount_amount <= 100)`,
    },
    { name: 'sales_rule_uses_not_negative', expression: 'uses_per_coupon >= 0 and uses_per_customer >= 0' },
  ],
});

export type SalesRule = InferEntity<typeof SalesRule>;
