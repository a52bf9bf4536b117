import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { drawCode, safeLength, type CouponForm } from '../../../domain/platform/sales-rules/coupon-codes.ts';
import { integer, texts } from '../../support/kinds.ts';
import { lockAdvisory } from '../../support/lock-advisory.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { SalesCoupon } from './coupon.entity.ts';
import { lockCouponRule } from './save-coupon.ts';

export const notGenerated = 'Error occurred when generating coupons: %1';

/** As on the platform: after so many draws for the same codes, there are none left. */
const mostDraws = 10;

/**
 * Draws new coupons of a promotion, all in one transaction (platform facts 9.4). Each call draws others; a caller that
 * sends it again without the same `Idempotency-Key` gets more.
 *
 * Refused with 400, and none kept: an unknown promotion, one that takes no generated coupons, too few codes of the form.
 *
 * @returns the codes
 */
export const generateCoupons = (
  em: EntityManager,
  { ruleId, quantity, form }: { ruleId: number; quantity: number; form: CouponForm },
): Promise<string[]> =>
  transact(em, async (tx) => {
    const rule = await lockCouponRule(tx, ruleId);
    if (!rule) throw invalid(notGenerated, [`No such entity with rule_id = ${ruleId}`]);
    if (!rule.useAutoGeneration && rule.couponType !== 'AUTO')
      throw invalid(notGenerated, ['Specified rule does not allow automatic coupon generation']);
    // Of two calls, each in its second round could wait for a code that the other drew in its first.
    await lockAdvisory(tx, 'generated coupons');
    const long = { ...form, length: safeLength(form, quantity) };
    const kept: string[] = [];
    for (let round = 0; kept.length < quantity; round++) {
      if (round === mostDraws) throw invalid(notGenerated, [tooFew]);
      const codes = Array.from({ length: quantity - kept.length }, () => drawCode(long, (below) => randomInt(below)));
      const added = await insert.all(tx, { ruleId, codes });
      kept.push(...added.map(({ code }) => code));
    }
    return kept;
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
