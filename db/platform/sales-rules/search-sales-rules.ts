import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { drawCode, safeLength, type CouponForm } from '../../../domain/platform/sales-rules/coupon-codes.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { noSuchRecord } from '../../../domain/refusals/platform.ts';
import { couponsNotGenerated } from '../../../domain/refusals/sales.ts';
import { integer, integers, orNull, definite, text, texts } from '../../support/entity-columns.ts';
import { lockAdvisory } from '../../support/lock-advisory.ts';
import { asListed, of } from '../../support/rows.ts';
import { search } from '../../support/search.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { SalesCoupon, SalesRule } from './sales-rule.entity.ts';

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
    times_used: definite(integer),
  },
  text: `select ${ruleColumns} from sales_rule r where r.rule_id = $ruleId`,
});

/** One promotion. Refused with 404 when there is none, without its id, as the platform has it. */
export async function readSalesRule(em: EntityManager, ruleId: number): Promise<SalesRuleRow> {
  const row = await readRule.first(em, { ruleId });
  if (!row) throw noSuchRecord();
  return row;
}

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

/** How often one customer used a promotion, and its coupon. */
export interface CustomersUsage {
  ruleTimesUsed: number;
  couponTimesUsed: number;
}

/**
 * The usage by this customer alone (platform facts 9.4): 0 for an unknown customer, rule or code. A coupon is found
 * in any case of letters, under the shop's spelling.
 */
export async function readRuleUsage(
  em: EntityManager,
  input: { customerId: number; ruleId: number; couponCode: string | null },
): Promise<CustomersUsage> {
  const used = await selectSalesRules.first(em, input);
  return used ?? { ruleTimesUsed: 0, couponTimesUsed: 0 };
}

/** Customer 0 stands for all together; it is not a customer. */
const selectSalesRules = statement({
  takes: { customerId: integer, ruleId: integer, couponCode: orNull(text) },
  gives: { ruleTimesUsed: definite(integer), couponTimesUsed: definite(integer) },
  text: `
    select coalesce(max(u.times_used) filter (where u.kind = 'rule'), 0) as rule_times_used,
      coalesce(max(u.times_used) filter (where u.kind = 'coupon'), 0) as coupon_times_used
    from sales_rule_usage u
    where u.customer_id = $customerId and $customerId > 0 and (
      (u.kind = 'rule' and u.code = $ruleId::bigint::text)
      or (u.kind = 'coupon' and u.code = coalesce((select c.code from sales_coupon c
        where lower(c.code) = lower($couponCode::text)), $couponCode)))`,
});

const couponsTimesUsed = 'coalesce(u.times_used, 0)';

/** Joined, not looked up for each coupon: a search by the uses reads all of them. */
const usage = `left join sales_rule_usage u on u.kind = 'coupon' and u.code = c.code and u.customer_id = 0`;
const table = `sales_coupon c join sales_rule r on r.rule_id = c.rule_id ${usage}`;
/** Every coupon has a rule: `left` lets the database leave it out where nothing of it is asked for. */
const searched = `sales_coupon c left join sales_rule r on r.rule_id = c.rule_id ${usage}`;

const columns = `c.coupon_id, c.rule_id, c.code, r.uses_per_coupon, r.uses_per_customer, r.to_date::text, c.is_primary,
  c.is_generated, c.created_at, ${couponsTimesUsed} as times_used`;

export type CouponRow = RowFrom<typeof readCoupons>;

const readCoupons = statement({
  takes: { couponId: integer },
  gives: {
    ...asListed(SalesCoupon, 'couponId', 'ruleId', 'code', 'isPrimary', 'isGenerated', 'createdAt'),
    ...asListed(SalesRule, 'usesPerCoupon', 'usesPerCustomer'),
    to_date: orNull(text),
    times_used: definite(integer),
  },
  text: `select ${columns} from ${table} where c.coupon_id = $couponId`,
});

/** One coupon. Refused with 404 when there is none, without its id, as the platform has it. */
export async function readCoupon(em: EntityManager, couponId: number): Promise<CouponRow> {
  const row = await readCoupons.first(em, { couponId });
  if (!row) throw noSuchRecord();
  return row;
}

/** Searches coupons (platform facts 9.4). */
export const searchCoupons = (em: EntityManager, criteria: SearchCriteria) =>
  search<CouponRow>(em, criteria, {
    table: searched,
    columns,
    fields: {
      coupon_id: { column: 'c.coupon_id', type: 'integer' },
      rule_id: { column: 'c.rule_id', type: 'integer' },
      code: { column: 'c.code', type: 'text' },
      usage_limit: { column: 'r.uses_per_coupon', type: 'integer' },
      usage_per_customer: { column: 'r.uses_per_customer', type: 'integer' },
      expiration_date: { column: 'r.to_date::timestamptz', type: 'timestamp', isNullable: true },
      times_used: { column: couponsTimesUsed, type: 'integer' },
      created_at: { column: 'c.created_at', type: 'timestamp' },
      is_primary: { column: 'c.is_primary', type: 'boolean' },
      type: { column: 'c.is_generated::integer', type: 'integer' },
    },
    order: 'c.coupon_id',
    kept: { list: 'sales_coupon', alias: 'c' },
  });

export const someAreInvalid = 'Some coupons are invalid.';
/** As on the platform: after so many draws for the same codes, there are none left. */
const mostDraws = 10;

/**
 * Draws new coupons of a promotion, all in one transaction (platform facts 9.4). Each call draws others; a caller that
 * sends it again without the same `Idempotency-Key` gets more.
 *
 * Refused with 400, and none kept: an unknown promotion, one that takes no generated coupons, too few codes of the
 * form.
 *
 * @returns the codes
 */
export const generateCoupons = (
  em: EntityManager,
  { ruleId, quantity, form }: { ruleId: number; quantity: number; form: CouponForm },
): Promise<string[]> =>
  transact(em, async (tx) => {
    const rule = await lockCouponRule(tx, ruleId);
    if (!rule) throw couponsNotGenerated([`No such entity with rule_id = ${ruleId}`]);
    if (!rule.useAutoGeneration && rule.couponType !== 'AUTO')
      throw couponsNotGenerated(['Specified rule does not allow automatic coupon generation']);
    // Of two calls, each in its second round could wait for a code that the other drew in its first.
    await lockAdvisory(tx, 'generated coupons');
    const long = { ...form, length: safeLength(form, quantity) };
    const stored: string[] = [];
    for (let round = 0; stored.length < quantity; round++) {
      if (round === mostDraws) throw couponsNotGenerated([tooFew]);
      const codes = Array.from({ length: quantity - stored.length }, () => drawCode(long, (below) => randomInt(below)));
      const added = await insert.all(tx, { ruleId, codes });
      stored.push(...added.map(({ code }) => code));
    }
    return stored;
  });

const tooFew = "We can't create the requested coupons. Check your settings and try again.";

const insert = statement({
  takes: { ruleId: integer, codes: texts },
  gives: of(SalesCoupon, 'code'),
  text: `
    insert into sales_coupon (rule_id, code, is_generated)
    select $ruleId, one, true from unnest($codes::text[]) as one
    on conflict (lower(code)) do nothing returning code`,
});

/**
 * Deletes coupons by id or by code, all in one transaction (platform facts 9.4). A repeat finds none of them.
 *
 * Refused with 400, and nothing deleted: one of them is unknown and `ignoresUnknown` is off.
 *
 * @returns those that were not there, as they were sent
 */
export const deleteCoupons = (
  em: EntityManager,
  { wanted, ignoresUnknown }: { wanted: { ids: number[] } | { codes: string[] }; ignoresUnknown: boolean },
): Promise<string[]> =>
  transact(em, async (tx) => {
    const gone = 'ids' in wanted ? await removeByIds.all(tx, wanted) : await removeByCodes.all(tx, wanted);
    const request = 'ids' in wanted ? wanted.ids.map(String) : wanted.codes;
    const found = new Set(gone.map(({ couponId, code }) => ('ids' in wanted ? String(couponId) : code.toLowerCase())));
    const missing = request.filter((one) => !found.has(one.toLowerCase()));
    if (missing.length > 0 && !ignoresUnknown) throw invalid(someAreInvalid);
    return missing;
  });

/** The terms of a promotion for its coupons, locked until the transaction ends; undefined: there is none. */
export const lockCouponRule = (em: EntityManager, ruleId: number) => lockRule.first(em, { ruleId });

const lockRule = statement({
  takes: { ruleId: integer },
  gives: of(SalesRule, 'couponType', 'useAutoGeneration'),
  text: 'select coupon_type, use_auto_generation from sales_rule where rule_id = $ruleId for share',
});

const gives = of(SalesCoupon, 'couponId', 'code');
const removeByIds = statement({
  takes: { ids: integers },
  gives,
  text: 'delete from sales_coupon where coupon_id = any($ids::bigint[]) returning coupon_id, code',
});
const removeByCodes = statement({
  takes: { codes: texts },
  gives,
  text: `
    delete from sales_coupon where lower(code) in (select lower(one) from unnest($codes::text[]) as one)
    returning coupon_id, code`,
});
