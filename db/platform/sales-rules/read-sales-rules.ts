import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchRecord } from '../../../domain/refusals/platform.ts';
import { fieldsNamed } from '../../support/fields.ts';
import { freshReads } from '../../support/fresh-reads.ts';
import { recordsOf, searchesGrowing } from '../../support/search-growing.ts';
import { ofEntity, searchesRecords } from '../../support/search-records.ts';
import { groupsOf, SalesCoupon, SalesRule, usesOf, websitesOf } from './sales-rule.entity.ts';

const ruleParts = ['shownWebsiteIds', 'shownGroupIds', 'timesUsed'] as const;

/** One promotion. Refused with 404 when there is none, without its id, as the platform has it. */
export async function readSalesRule(em: EntityManager, ruleId: number): Promise<SalesRule> {
  const rule = await freshReads(em).findOne(SalesRule, { ruleId }, { populate: ruleParts });
  if (!rule) throw noSuchRecord();
  return rule;
}

/** Searches promotions; a promotion for every website or group lists all of them (platform facts 9.4). */
export const searchSalesRules = searchesRecords({
  entity: SalesRule,
  fields: {
    ...fieldsNamed(SalesRule, {
      ...{ rule_id: 'ruleId', uses_per_coupon: 'usesPerCoupon', uses_per_customer: 'usesPerCustomer' },
      ...{ name: 'name', description: 'description', simple_action: 'simpleAction', coupon_type: 'couponType' },
      ...{ is_active: 'isActive', stop_rules_processing: 'stopRulesProcessing', is_advanced: 'isAdvanced' },
      ...{ is_rss: 'isRss', sort_order: 'sortOrder', discount_amount: 'discountAmount', discount_qty: 'discountQty' },
      ...{ discount_step: 'discountStep', simple_free_shipping: 'simpleFreeShipping' },
      ...{ apply_to_shipping: 'applyToShipping', use_auto_generation: 'useAutoGeneration' },
    }),
    website_ids: { column: websitesOf(`${ofEntity}.website_ids`), type: 'set' },
    customer_group_ids: { column: groupsOf(`${ofEntity}.customer_group_ids`), type: 'set' },
    from_date: { column: `${ofEntity}.from_date::timestamptz`, type: 'timestamp', isNullable: true },
    to_date: { column: `${ofEntity}.to_date::timestamptz`, type: 'timestamp', isNullable: true },
    times_used: { column: usesOf('rule', `${ofEntity}.rule_id::text`), type: 'integer' },
  },
  order: 'rule_id',
  populate: ruleParts,
});

const couponParts = ['rule', 'timesUsed'] as const;

/** One coupon with its promotion. Refused with 404 when there is none, without its id, as the platform has it. */
export async function readCoupon(em: EntityManager, couponId: number): Promise<SalesCoupon> {
  const coupon = await freshReads(em).findOne(SalesCoupon, { couponId }, { populate: couponParts, strategy: 'joined' });
  if (!coupon) throw noSuchRecord();
  return coupon;
}

/** Joined, not looked up for each coupon: a search by the uses reads all of them. */
const usage = `left join sales_rule_usage u on u.kind = 'coupon' and u.code = c.code and u.customer_id = 0`;

/** Searches coupons (platform facts 9.4). */
export const searchCoupons = searchesGrowing({
  // Every coupon has a rule: `left` lets the database leave it out where nothing of it is asked for.
  table: `sales_coupon c left join sales_rule r on r.rule_id = c.rule_id ${usage}`,
  fields: {
    coupon_id: { column: 'c.coupon_id', type: 'integer' },
    rule_id: { column: 'c.rule_id', type: 'integer' },
    code: { column: 'c.code', type: 'text' },
    usage_limit: { column: 'r.uses_per_coupon', type: 'integer' },
    usage_per_customer: { column: 'r.uses_per_customer', type: 'integer' },
    expiration_date: { column: 'r.to_date::timestamptz', type: 'timestamp', isNullable: true },
    times_used: { column: 'coalesce(u.times_used, 0)', type: 'integer' },
    created_at: { column: 'c.created_at', type: 'timestamp' },
    is_primary: { column: 'c.is_primary', type: 'boolean' },
    type: { column: 'c.is_generated::integer', type: 'integer' },
  },
  order: 'c.coupon_id',
  kept: { list: 'sales_coupon', alias: 'c' },
  ...recordsOf<SalesCoupon>(SalesCoupon, 'couponId', couponParts),
});
