import type { EntityManager } from '@mikro-orm/postgresql';
import { SalesRule } from '../../db/platform/sales-rules/sales-rule.entity.ts';
import { TaxRate } from '../../db/platform/tax/tax-rate.entity.ts';
import { money } from '../../domain/money/amount.ts';

/** The platform's class of goods that are taxed. */
const taxableGoods = 2;

/** As the demo sales have it: New York, Ontario, Germany. */
const taxRates = [
  { code: 'US-NY', countryId: 'US', regionId: 43, percent: '8' },
  { code: 'CA-ON', countryId: 'CA', regionId: 74, percent: '13' },
  { code: 'DE', countryId: 'DE', regionId: 0, percent: '19' },
].map((rate) => ({ ...rate, taxClassId: taxableGoods }));

/** Ten percent off whatever is in the cart. */
const coupon = {
  name: 'Ten percent for friends of the shop',
  couponCode: 'LANTERN10',
  simpleAction: 'by_percent',
  discountAmount: money('10'),
} as const;

/** What a customer's cart needs to be added up. What is there already stays as it is. */
export async function seedCheckout(em: EntityManager): Promise<void> {
  await em.upsertMany(TaxRate, taxRates, {
    onConflictFields: ['taxClassId', 'countryId', 'regionId'],
    onConflictAction: 'ignore',
  });
  if ((await em.count(SalesRule, { couponCode: coupon.couponCode })) > 0) return;
  em.create(SalesRule, coupon);
  await em.flush();
}
