import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, noSuchEntity } from '../../../domain/errors.ts';
import type { Amount } from '../../../domain/money.ts';
import { conditionFault, type CatalogRuleCondition } from '../../../domain/platform/stock-rules.ts';
import { valueOfFieldNotPossible } from '../../../domain/refusals/customers.ts';
import { definedFields } from '../../support/defined-fields.ts';
import { records } from '../../support/records.ts';
import { refuseUnknownGroups } from '../customers/refuse-unknown-groups.ts';
import { refuseUnknownWebsites } from '../stores/refuse-unknown-websites.ts';
import { CatalogRule } from './catalog-rule.entity.ts';

/** The fields of a rule that are sent; an absent field keeps its value, or gets the default for a new rule. */
export interface CatalogRuleDraft {
  name?: string | undefined;
  isActive?: boolean | undefined;
  websiteIds?: number[] | null | undefined;
  customerGroupIds?: number[] | null | undefined;
  fromDate?: string | null | undefined;
  toDate?: string | null | undefined;
  aggregator?: CatalogRule['aggregator'] | undefined;
  conditions?: readonly CatalogRuleCondition[] | undefined;
  simpleAction?: CatalogRule['simpleAction'] | undefined;
  discountAmount?: Amount | undefined;
  sortOrder?: number | undefined;
  stopRulesProcessing?: boolean | undefined;
}

/** The most conditions of a rule, so that one product is checked quickly. */
const mostConditions = 50;
/** The most SKUs of one condition, as a person would maintain. */
const mostValues = 1_000;

/**
 * Promotions on the catalog's own prices, which follow automatically (platform facts 9.3). Each creation makes another.
 *
 * Refused with: 404 unknown rule · 400 no name, action or amount for a new one, an unknown website or customer group,
 * an amount below 0 or a percentage above 100, a last day before the first, an invalid condition.
 */
export const catalogRules = records<CatalogRule, CatalogRuleDraft, number>({
  entity: CatalogRule,
  key: 'ruleId',
  fields: {},
  unknown: (ruleId) => noSuchEntity('ruleId', ruleId),

  async check(tx, { websiteIds, customerGroupIds }) {
    await refuseUnknownWebsites(tx, 'website_ids', websiteIds ?? []);
    await refuseUnknownGroups(tx, 'customer_group_ids', customerGroupIds ?? []);
  },

  write(tx, draft, known) {
    const rule = tx.assign(known ?? newRule(tx, draft), definedFields(draft));
    refuseNonsense(rule);
    return rule;
  },
});

/** The most rules of one list; a shop has dozens. */
const mostRules = 1_000;

/** Every rule, in the order in which they apply. */
export const readCatalogRules = (em: EntityManager): Promise<CatalogRule[]> =>
  em.findAll(CatalogRule, { orderBy: { sortOrder: 'asc', ruleId: 'asc' }, limit: mostRules });

function newRule(tx: EntityManager, { name, simpleAction, discountAmount, conditions = [] }: CatalogRuleDraft) {
  if (!name?.trim()) throw fieldRequired('name');
  if (simpleAction === undefined) throw fieldRequired('simple_action');
  if (discountAmount === undefined) throw fieldRequired('discount_amount');
  return tx.create(CatalogRule, { name, simpleAction, discountAmount, conditions });
}

function refuseNonsense(rule: CatalogRule): void {
  const { simpleAction, discountAmount, fromDate, toDate, conditions } = rule;
  if (!rule.name.trim()) throw fieldRequired('name');
  const isPercentage = simpleAction === 'by_percent' || simpleAction === 'to_percent';
  if (discountAmount < 0 || (isPercentage && discountAmount > 1_000_000)) throw wrong('discount_amount');
  if (fromDate && toDate && fromDate > toDate) throw wrong('to_date');
  if (conditions.length > mostConditions) throw wrong('conditions');
  for (const condition of conditions) {
    const fault = condition.values.length > mostValues ? 'values' : conditionFault(condition);
    if (fault !== undefined) throw wrong(`conditions.${fault}`);
  }
}

const wrong = (fieldName: string) => valueOfFieldNotPossible({ fieldName });
