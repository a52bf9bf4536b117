import type { EntityManager } from '@mikro-orm/postgresql';
import { SalesCoupon, SalesRule } from '../../db/platform/sales-rules/sales-rule.entity.ts';
import { taxGoods } from '../../db/platform/tax/tax-goods.ts';
import { TaxRate } from '../../db/platform/tax/tax.entity.ts';
import { money } from '../../domain/money/amount.ts';

/** The platform's tax class of taxable goods. */
const taxableGoods = 2;

/** The rates that the demo sales use: New York, Ontario, Germany. */
const taxRates = [
  { code: 'US-NY', countryId: 'US', regionId: 43, percent: '8' },
  { code: 'CA-ON', countryId: 'CA', regionId: 74, percent: '13' },
  { code: 'DE', countryId: 'DE', regionId: 0, percent: '19' },
].map((rate) => ({ ...rate, taxClassId: taxableGoods }));

/** Ten percent off any cart. */
const coupon = {
  name: 'Ten percent for friends of the shop',
  simpleAction: 'by_percent',
  discountAmount: money('10'),
  couponType: 'SPECIFIC_COUPON',
} as const;
const couponCode = 'LANTERN10';

/** What computing a customer's cart needs. Existing rows stay unchanged. */
export async function seedCheckout(em: EntityManager): Promise<void> {
  if ((await em.count(TaxRate)) === 0) for (const rate of taxRates) await taxGoods(em, rate);
  if ((await em.count(SalesCoupon, { code: couponCode })) > 0) return;
  const rule = em.create(SalesRule, coupon);
  await em.flush();
  em.create(SalesCoupon, { ruleId: rule.ruleId, code: couponCode, isPrimary: true });
  await em.flush();
}
