import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { drawCode, safeLength, type CouponForm } from '../../../domain/platform/sales-rules/coupon-codes.ts';
import { couponsNotGenerated } from '../../../domain/refusals/sales.ts';
import { lockAdvisory } from '../../support/lock-advisory.ts';
import { sql } from '../../support/sql.ts';
import { transact } from '../../support/transact.ts';

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
const selectSalesRules = sql('search-sales-rules.selectSalesRules')`
  select coalesce(max(u.times_used) filter (where u.kind = 'rule'), 0) as rule_times_used,
    coalesce(max(u.times_used) filter (where u.kind = 'coupon'), 0) as coupon_times_used
  from sales_rule_usage u
  where u.customer_id = $customerId and $customerId > 0 and (
    (u.kind = 'rule' and u.code = $ruleId::bigint::text)
    or (u.kind = 'coupon' and u.code = coalesce((select c.code from sales_coupon c
      where lower(c.code) = lower($couponCode?::text)), $couponCode)))`;

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

const insert = sql('search-sales-rules.insert')`
  insert into sales_coupon (rule_id, code, is_generated)
  select $ruleId, one, true from unnest($codes::text[]) as one
  on conflict (lower(code)) do nothing returning code`;

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

const lockRule = sql('search-sales-rules.lockRule')`
  select coupon_type, use_auto_generation from sales_rule where rule_id = $ruleId for share`;
const removeByIds = sql('search-sales-rules.removeByIds')`
  delete from sales_coupon where coupon_id = any($ids::bigint[]) returning coupon_id, code`;
const removeByCodes = sql('search-sales-rules.removeByCodes')`
  delete from sales_coupon where lower(code) in (select lower(one) from unnest($codes::text[]) as one)
  returning coupon_id, code`;
