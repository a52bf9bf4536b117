import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { SalesRule } from './sales-rule.entity.ts';
import { shopNow } from '../../support/shop-clock.ts';

/** A code that calls up a promotion (platform facts 9.4). Its limits are those of the promotion. */
export const SalesCoupon = defineEntity({
  name: 'SalesCoupon',
  tableName: 'sales_coupon',
  properties: {
    couponId: p.integer().primary().autoincrement(),
    ruleId: () => p.manyToOne(SalesRule).mapToPk().fieldName('rule_id').index().deleteRule('cascade'),
    code: p.string().length(255),
    isPrimary: p.boolean().default(false),
    /** Generated; else a person typed it. */
    isGenerated: p.boolean().default(false),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
  indexes: [{ properties: ['createdAt'] }],
  uniques: [
    {
      name: 'sales_coupon_once',
      expression: 'create unique index "sales_coupon_once" on "sales_coupon" (lower("code"))',
    },
    { name: 'sales_coupon_one_primary', properties: ['ruleId'], where: 'is_primary' },
  ],
});

export type SalesCoupon = InferEntity<typeof SalesCoupon>;
