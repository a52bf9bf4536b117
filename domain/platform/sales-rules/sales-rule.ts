import { isCalendarDay } from '../../calendar-day.ts';
import { conditionFault, type Condition } from './condition-tree.ts';

/** Whether a promotion holds by itself, or needs one of its coupons (platform facts 9.4). */
export const couponTypes = ['NO_COUPON', 'SPECIFIC_COUPON', 'AUTO'] as const;

/** `0`: none. `1`: the goods of the promotion are shipped free. `2`: the whole cart with such goods is. */
export const freeShippingKinds = ['0', '1', '2'] as const;

/** The name of a promotion in one store view; view 0 is all others. */
export interface RuleLabel {
  storeId: number;
  label: string;
}

/** The fields of a promotion that have rules. */
export interface SalesRuleTerms {
  websiteIds: readonly number[] | null;
  customerGroupIds: readonly number[] | null;
  fromDate: string | null;
  toDate: string | null;
  discountAmount: number;
  discountQty: number;
  discountStep: number;
  usesPerCoupon: number;
  usesPerCustomer: number;
  condition: Condition;
  actionCondition: Condition;
}

/** What is wrong, as the platform's one sentence; undefined when nothing is. */
export function salesRuleFault({ fromDate, toDate, websiteIds, customerGroupIds }: SalesRuleTerms): string | undefined {
  const faults = [
    ...(fromDate && toDate && fromDate > toDate ? ['End Date must follow Start Date.'] : []),
    ...(websiteIds?.length === 0 ? ['Websites must be specified.'] : []),
    ...(customerGroupIds?.length === 0 ? ['Customer Groups must be specified.'] : []),
  ];
  return faults.length === 0 ? undefined : faults.map((fault) => `${fault}; `).join('');
}

/** The first field with a value that it cannot have; undefined when there is none. */
export function wrongSalesRuleField(rule: SalesRuleTerms): { field: string; value: unknown } | undefined {
  const tree = conditionFault(rule.condition, 'cart') ?? conditionFault(rule.actionCondition, 'line');
  if (tree) return tree;
  const counts = [
    ['discount_qty', rule.discountQty],
    ['discount_step', rule.discountStep],
    ['uses_per_coupon', rule.usesPerCoupon],
    ['uses_per_customer', rule.usesPerCustomer],
  ] as const;
  for (const [field, value] of counts) if (value < 0) return { field, value };
  const isDay = (text: string | null) => text === null || isCalendarDay(text);
  if (!isDay(rule.fromDate)) return { field: 'from_date', value: rule.fromDate };
  return isDay(rule.toDate) ? undefined : { field: 'to_date', value: rule.toDate };
}
