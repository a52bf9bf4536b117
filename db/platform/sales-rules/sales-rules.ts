import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue } from '../../../domain/errors.ts';
import { zero, none, type Amount, type Quantity } from '../../../domain/money.ts';
import {
  anyCart,
  anyLine,
  salesRuleFault,
  wrongSalesRuleField,
  type Condition,
  type RuleLabel,
} from '../../../domain/platform/sales-rules/condition-tree.ts';
import { noSuchRecord } from '../../../domain/refusals/platform.ts';
import { definedFields } from '../../support/defined-fields.ts';
import { records, type Records } from '../../support/records.ts';
import { refuseUnknownGroups } from '../customers/refuse-unknown-groups.ts';
import { refuseUnknownWebsites } from '../stores/refuse-unknown-websites.ts';
import { SalesCoupon, SalesRule } from './sales-rule.entity.ts';
import { readSalesRule, searchSalesRules } from './read-sales-rules.ts';

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

const saved = records<SalesRule, SalesRuleDraft, number>({
  entity: SalesRule,
  key: 'ruleId',
  fields: {},
  unknown: () => noSuchRecord(),

  async check(tx, { websiteIds = [], customerGroupIds = [] }) {
    await refuseUnknownWebsites(tx, 'website_ids', websiteIds);
    await refuseUnknownGroups(tx, 'customer_group_ids', customerGroupIds);
  },

  async write(tx, draft, known) {
    const rule = tx.assign(known ?? newRule(tx, draft), definedFields(withoutRepeats(draft)));
    refuseNonsense(rule);
    // Once it needs no coupon, its first coupon goes, as on the platform.
    const { ruleId, couponType } = rule;
    if (known && couponType === 'NO_COUPON') await tx.nativeDelete(SalesCoupon, { rule: ruleId, isPrimary: true });
    return rule;
  },
});

/**
 * Promotions on carts (platform facts 9.4). Carts get them from the next reading on; orders keep their discount. Each
 * creation makes another one. A deletion takes the coupons along.
 *
 * Refused with: 404 unknown promotion · 400 no website or group, an unknown one, a last day before the first, an amount
 * below 0, a word, number or condition that carts cannot be checked by.
 */
export const salesRules: Records<SalesRule, SalesRuleDraft, number> = {
  search: searchSalesRules,
  find: readSalesRule,
  save: async (em, save) => readSalesRule(em, (await saved.save(em, save)).ruleId),
  remove: saved.remove,
};

function refuseNonsense(rule: SalesRule): void {
  const { fromDate = null, toDate = null, websiteIds = null, customerGroupIds = null } = rule;
  const terms = { ...rule, fromDate, toDate, websiteIds, customerGroupIds };
  const fault = salesRuleFault(terms);
  if (fault !== undefined) throw invalid(fault);
  if (rule.discountAmount < 0) throw invalid(invalidDiscount);
  const wrong = wrongSalesRuleField(terms);
  if (wrong) throw invalidValue(wrong.field, wrong.value);
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

/** The platform keeps a website or a group once, however often a caller names it. */
const withoutRepeats = ({ websiteIds, customerGroupIds, ...rest }: SalesRuleDraft): SalesRuleDraft => ({
  ...rest,
  ...(websiteIds && { websiteIds: [...new Set(websiteIds)] }),
  ...(customerGroupIds && { customerGroupIds: [...new Set(customerGroupIds)] }),
});
