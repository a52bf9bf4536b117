import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { integer, orNull, surely, text, texts } from '../../support/kinds.ts';
import { asListed } from '../../support/rows.ts';
import { search } from '../../support/search.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { SalesRule } from './sales-rule.entity.ts';

/** How often a rule was used, in total. */
const timesUsed = `coalesce((select u.times_used from sales_rule_usage u
    where u.kind = 'rule' and u.code = r.rule_id::text and u.customer_id = 0), 0)`;

const websiteIds = `coalesce(r.website_ids, (select array_agg(website_id::text order by website_id)
  from website where website_id > 0))`;
const groupIds = `coalesce(r.customer_group_ids, (select array_agg(id::text order by id) from customer_group))`;

const ruleColumns = `r.rule_id, r.name, r.description, ${websiteIds} as website_ids, ${groupIds} as group_ids,
  r.from_date::text, r.to_date::text, r.uses_per_coupon, r.uses_per_customer, r.is_active, r.simple_action,
  r.discount_amount, r.discount_qty, r.discount_step, r.condition, r.action_condition, r.sort_order,
  r.stop_rules_processing, r.is_advanced, r.is_rss, r.apply_to_shipping, r.simple_free_shipping, r.coupon_type,
  r.use_auto_generation, r.store_labels, ${timesUsed} as times_used`;

export type SalesRuleRow = RowFrom<typeof readRule>;

const readRule = statement({
  takes: { ruleId: integer },
  gives: {
    ...asListed(SalesRule, 'ruleId', 'name', 'description', 'usesPerCoupon', 'usesPerCustomer', 'isActive'),
    ...asListed(SalesRule, 'simpleAction', 'discountAmount', 'discountQty', 'discountStep', 'condition'),
    ...asListed(SalesRule, 'actionCondition', 'sortOrder', 'stopRulesProcessing', 'isAdvanced', 'isRss'),
    ...asListed(SalesRule, 'applyToShipping', 'simpleFreeShipping', 'couponType', 'useAutoGeneration', 'storeLabels'),
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
      description: { column: 'r.description', type: 'text' },
      website_ids: { column: websiteIds, type: 'set' },
      customer_group_ids: { column: groupIds, type: 'set' },
      from_date: { column: 'r.from_date::timestamptz', type: 'timestamp', isNullable: true },
      to_date: { column: 'r.to_date::timestamptz', type: 'timestamp', isNullable: true },
      uses_per_coupon: { column: 'r.uses_per_coupon', type: 'integer' },
      uses_per_customer: { column: 'r.uses_per_customer', type: 'integer' },
      is_active: { column: 'r.is_active', type: 'boolean' },
      stop_rules_processing: { column: 'r.stop_rules_processing', type: 'boolean' },
      is_advanced: { column: 'r.is_advanced', type: 'boolean' },
      is_rss: { column: 'r.is_rss', type: 'boolean' },
      sort_order: { column: 'r.sort_order', type: 'integer' },
      simple_action: { column: 'r.simple_action', type: 'text' },
      discount_amount: { column: 'r.discount_amount', type: 'decimal' },
      discount_qty: { column: 'r.discount_qty', type: 'decimal' },
      discount_step: { column: 'r.discount_step', type: 'decimal' },
      simple_free_shipping: { column: 'r.simple_free_shipping', type: 'text' },
      apply_to_shipping: { column: 'r.apply_to_shipping', type: 'boolean' },
      times_used: { column: timesUsed, type: 'integer' },
      coupon_type: { column: 'r.coupon_type', type: 'text' },
      use_auto_generation: { column: 'r.use_auto_generation', type: 'boolean' },
    },
    order: 'r.rule_id',
  });
