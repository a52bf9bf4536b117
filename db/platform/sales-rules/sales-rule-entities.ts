import { SalesCoupon } from './coupon.entity.ts';
import { RuleUsage } from './rule-usage.entity.ts';
import { SalesRule } from './sales-rule.entity.ts';

/** All entities of promotions. */
export const salesRuleEntities = [SalesRule, SalesCoupon, RuleUsage] as const;
