import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search } from '../../support/search.ts';

/** How often a rule or its coupon was used, in total. */
const timesUsed = (kind: 'rule' | 'coupon', code: string) =>
  `coalesce((select u.times_used from sales_rule_usage u
    where u.kind = '${kind}' and u.code = ${code} and u.customer_id = 0), 0)`;

const ruleTimesUsed = timesUsed('rule', 'r.rule_id::text');
const couponTimesUsed = timesUsed('coupon', 'r.coupon_code');

const websiteIds = `coalesce(r.website_ids, (select array_agg(website_id::text order by website_id)
  from website where website_id > 0))`;
const groupIds = `coalesce(r.customer_group_ids, (select array_agg(id::text order by id) from customer_group))`;

export interface SalesRuleRow {
  rule_id: number;
  name: string;
  website_ids: string[] | null;
  group_ids: string[] | null;
  from_date: string | null;
  to_date: string | null;
  uses_per_coupon: number;
  uses_per_customer: number;
  is_active: boolean;
  simple_action: string;
  discount_amount: string;
  times_used: number;
}

/** Searches promotions; a promotion for every website or group lists all of them (platform facts 9.4). */
export const searchSalesRules = (em: EntityManager, criteria: SearchCriteria) =>
  search<SalesRuleRow>(em, criteria, {
    table: 'sales_rule r',
    columns: `r.rule_id, r.name, ${websiteIds} as website_ids, ${groupIds} as group_ids, r.from_date::text, r.to_date::text,
      r.uses_per_coupon, r.uses_per_customer, r.is_active, r.simple_action, r.discount_amount, ${ruleTimesUsed} as times_used`,
    fields: {
      rule_id: { column: 'r.rule_id', type: 'integer' },
      name: { column: 'r.name', type: 'text' },
      website_ids: { column: websiteIds, type: 'set' },
      customer_group_ids: { column: groupIds, type: 'set' },
      from_date: { column: 'r.from_date::timestamptz', type: 'timestamp', isNullable: true },
      to_date: { column: 'r.to_date::timestamptz', type: 'timestamp', isNullable: true },
      uses_per_coupon: { column: 'r.uses_per_coupon', type: 'integer' },
      uses_per_customer: { column: 'r.uses_per_customer', type: 'integer' },
      is_active: { column: 'r.is_active', type: 'boolean' },
      simple_action: { column: 'r.simple_action', type: 'text' },
      discount_amount: { column: 'r.discount_amount', type: 'decimal' },
      times_used: { column: ruleTimesUsed, type: 'integer' },
      coupon_type: { column: `'SPECIFIC_COUPON'`, type: 'text' },
    },
    order: 'r.rule_id',
  });

export interface CouponRow {
  rule_id: number;
  coupon_code: string;
  uses_per_coupon: number;
  uses_per_customer: number;
  times_used: number;
}

/** Searches coupons: each promotion has one, under the promotion's id (platform facts 9.4). */
export const searchCoupons = (em: EntityManager, criteria: SearchCriteria) =>
  search<CouponRow>(em, criteria, {
    table: 'sales_rule r',
    columns: `r.rule_id, r.coupon_code, r.uses_per_coupon, r.uses_per_customer, ${couponTimesUsed} as times_used`,
    fields: {
      coupon_id: { column: 'r.rule_id', type: 'integer' },
      rule_id: { column: 'r.rule_id', type: 'integer' },
      code: { column: 'r.coupon_code', type: 'text' },
      usage_limit: { column: 'r.uses_per_coupon', type: 'integer' },
      usage_per_customer: { column: 'r.uses_per_customer', type: 'integer' },
      times_used: { column: couponTimesUsed, type: 'integer' },
      is_primary: { column: 'true::boolean', type: 'boolean' },
      type: { column: '0::integer', type: 'integer' },
    },
    order: 'r.rule_id',
  });
