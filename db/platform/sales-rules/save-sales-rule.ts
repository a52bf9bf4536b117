import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue, notFound } from '../../../domain/errors.ts';
import { zero, type Amount } from '../../../domain/money/amount.ts';
import { none, type Quantity } from '../../../domain/money/quantity.ts';
import { anyCart, anyLine, type Condition } from '../../../domain/platform/sales-rules/condition-tree.ts';
import {
  salesRuleFault,
  wrongSalesRuleField,
  type RuleLabel,
} from '../../../domain/platform/sales-rules/sales-rule.ts';
import { given } from '../../support/given.ts';
import { integer } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { refuseUnknownGroups } from '../customers/refuse-unknown-groups.ts';
import { refuseUnknownWebsites } from '../stores/refuse-unknown-websites.ts';
import { SalesRule } from './sales-rule.entity.ts';
import { noSuchRule } from './search-sales-rules.ts';

/** The fields of a promotion that are sent; an absent one stays, or gets the default of a new promotion. */
export interface SalesRuleDraft {
  name?: string | undefined;
  description?: string | undefined;
  isActive?: boolean | undefined;
  websiteIds?: number[] | undefined;
  customerGroupIds?: number[] | undefined;
  fromDate?: string | null | undefined;
  toDate?: string | null | undefined;
  condition?: Condition | undefined;
  actionCondition?: Condition | undefined;
  sortOrder?: number | undefined;
  stopRulesProcessing?: boolean | undefined;
  isAdvanced?: boolean | undefined;
  isRss?: boolean | undefined;
  simpleAction?: SalesRule['simpleAction'] | undefined;
  discountAmount?: Amount | undefined;
  discountQty?: Quantity | undefined;
  discountStep?: Quantity | undefined;
  applyToShipping?: boolean | undefined;
  simpleFreeShipping?: SalesRule['simpleFreeShipping'] | undefined;
  couponType?: SalesRule['couponType'] | undefined;
  useAutoGeneration?: boolean | undefined;
  storeLabels?: RuleLabel[] | undefined;
  usesPerCoupon?: number | undefined;
  usesPerCustomer?: number | undefined;
}

export const invalidDiscount = 'Invalid discount amount.';

/**
 * Creates a promotion, or changes what is sent of one (platform facts 9.4). Carts get it from the next reading on; orders
 * keep their discount. A repeat of a change leaves the same promotion; each creation makes another one. Once it needs no
 * coupon, its first coupon is deleted, as on the platform.
 *
 * Refused with: 404 unknown promotion · 400 no website or group, an unknown one, a last day before the first, an amount below 0,
 * a word, number or condition that carts cannot be checked by.
 *
 * @returns the promotion's id
 */
export const saveSalesRule = (
  em: EntityManager,
  { ruleId, draft }: { ruleId: number | undefined; draft: SalesRuleDraft },
): Promise<number> =>
  transact(em, async (tx) => {
    await refuseUnknownWebsites(tx, 'website_ids', draft.websiteIds ?? []);
    await refuseUnknownGroups(tx, 'customer_group_ids', draft.customerGroupIds ?? []);
    const rule = ruleId === undefined ? newRule(tx, draft) : await lockedRule(tx, ruleId);
    tx.assign(rule, given(withoutRepeats(draft)));
    const { fromDate = null, toDate = null, websiteIds = null, customerGroupIds = null } = rule;
    const terms = { ...rule, fromDate, toDate, websiteIds, customerGroupIds };
    const fault = salesRuleFault(terms);
    if (fault !== undefined) throw invalid(fault);
    if (rule.discountAmount < 0) throw invalid(invalidDiscount);
    const wrong = wrongSalesRuleField(terms);
    if (wrong) throw invalidValue(wrong.field, wrong.value);
    await tx.flush();
    if (rule.couponType === 'NO_COUPON') await dropPrimary.run(tx, { ruleId: rule.ruleId });
    return rule.ruleId;
  });

/** Deletes a promotion with its coupons; orders keep their discount. A repeat finds nothing. Refused with 404: unknown. */
export async function deleteSalesRule(em: EntityManager, ruleId: number): Promise<void> {
  if ((await remove.run(em, { ruleId })) === 0) throw notFound(noSuchRule);
}

async function lockedRule(tx: EntityManager, ruleId: number): Promise<SalesRule> {
  const rule = await tx.findOne(SalesRule, { ruleId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!rule) throw notFound(noSuchRule);
  return rule;
}

/** A promotion of the REST interface names its websites and groups; one for all is made by other means. */
const newRule = (tx: EntityManager, draft: SalesRuleDraft): SalesRule =>
  tx.create(SalesRule, {
    name: draft.name ?? '',
    websiteIds: draft.websiteIds ?? [],
    customerGroupIds: draft.customerGroupIds ?? [],
    simpleAction: draft.simpleAction ?? 'by_percent',
    discountAmount: draft.discountAmount ?? zero,
    discountQty: none,
    discountStep: none,
    condition: anyCart,
    actionCondition: anyLine,
    couponType: 'NO_COUPON',
    simpleFreeShipping: '0',
    usesPerCoupon: 0,
    usesPerCustomer: 0,
  });

const takes = { ruleId: integer };
const remove = statement({ takes, text: 'delete from sales_rule where rule_id = $ruleId' });
const dropPrimary = statement({ takes, text: 'delete from sales_coupon where rule_id = $ruleId and is_primary' });

/** The platform keeps a website or a group once, however often a caller names it. */
const withoutRepeats = ({ websiteIds, customerGroupIds, ...rest }: SalesRuleDraft): SalesRuleDraft => ({
  ...rest,
  ...(websiteIds && { websiteIds: [...new Set(websiteIds)] }),
  ...(customerGroupIds && { customerGroupIds: [...new Set(customerGroupIds)] }),
});
