import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { integer, orNull, surely, text, texts } from '../../support/kinds.ts';
import { asListed } from '../../support/rows.ts';
import { search } from '../../support/search.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { SalesRule } from './sales-rule.entity.ts';

/** How often a rule or its coupon was used, in total. */
const timesUsed = (kind: 'rule' | 'coupon', code: string) =>
  `coalesce((select u.times_used from sales_rule_usage u
    where u.kind = '${kind}' and u.code = ${code} and u.customer_id = 0), 0)`;

const ruleTimesUsed = timesUsed('rule', 'r.rule_id::text');
const couponTimesUsed = timesUsed('coupon', 'r.coupon_code');

const websiteIds = `coalesce(r.website_ids, (select array_agg(website_id::text order by website_id)
  from website where website_id > 0))`;
const groupIds = `coalesce(r.customer_group_ids, (select array_agg(id::text order by id) from customer_group))`;

const ruleColumns = `r.rule_id, r.name, ${websiteIds} as website_ids, ${groupIds} as group_ids, r.from_date::text,
  r.to_date::text, r.uses_per_coupon, r.uses_per_customer, r.is_active, r.simple_action, r.discount_amount,
  ${ruleTimesUsed} as times_used`;

export type SalesRuleRow = RowFrom<typeof readRule>;

const readRule = statement({
  takes: { ruleId: integer },
  gives: {
    ...asListed(SalesRule, 'ruleId', 'name', 'usesPerCoupon', 'usesPerCustomer', 'isActive', 'simpleAction'),
    ...asListed(SalesRule, 'discountAmount'),
    ...{ website_ids: orNull(texts), group_ids: orNull(texts), from_date: orNull(text), to_date: orNull(text) },
    times_used: surely(integer),
  },
  text: `select ${ruleColumns} from sales_rule r where r.rule_id = $ruleId`,
});

/** One promotion. Refused with 404 when there is none, without its id, as the platform has it. */
export async function readSalesRule(em: EntityManager, ruleId: number): Promise<SalesRuleRow> {
  const row = await readRule.first(em, { ruleId });
  if (!row) throw notFound(noSuchRule);
  return row;
}

export const noSuchRule = 'No such entity.';

/** Searches promotions; a promotion for every website or group lists all of them (platform facts 9.4). */
export const searchSalesRules = (em: EntityManager, criteria: SearchCriteria) =>
  search<SalesRuleRow>(em, criteria, {
    table: 'sales_rule r',
    columns: ruleColumns,
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

const couponColumns = `r.rule_id, r.coupon_code, r.uses_per_coupon, r.uses_per_customer, r.created_at,
  ${couponTimesUsed} as times_used`;

export type CouponRow = RowFrom<typeof readOneCoupon>;

const readOneCoupon = statement({
  takes: { couponId: integer },
  gives: {
    ...asListed(SalesRule, 'ruleId', 'couponCode', 'usesPerCoupon', 'usesPerCustomer', 'createdAt'),
    times_used: surely(integer),
  },
  text: `select ${couponColumns} from sales_rule r where r.rule_id = $couponId`,
});

/** One coupon, by its promotion's id. Refused with 404 when there is none, without its id, as the platform has it. */
export async function readCoupon(em: EntityManager, couponId: number): Promise<CouponRow> {
  const row = await readOneCoupon.first(em, { couponId });
  if (!row) throw notFound(noSuchRule);
  return row;
}

/** Searches coupons: each promotion has one, under the promotion's id (platform facts 9.4). */
export const searchCoupons = (em: EntityManager, criteria: SearchCriteria) =>
  search<CouponRow>(em, criteria, {
    table: 'sales_rule r',
    columns: couponColumns,
    fields: {
      coupon_id: { column: 'r.rule_id', type: 'integer' },
      rule_id: { column: 'r.rule_id', type: 'integer' },
      code: { column: 'r.coupon_code', type: 'text' },
      usage_limit: { column: 'r.uses_per_coupon', type: 'integer' },
      usage_per_customer: { column: 'r.uses_per_customer', type: 'integer' },
      times_used: { column: couponTimesUsed, type: 'integer' },
      created_at: { column: 'r.created_at', type: 'timestamp' },
      is_primary: { column: 'true::boolean', type: 'boolean' },
      type: { column: '0::integer', type: 'integer' },
    },
    order: 'r.rule_id',
  });
