import { LockMode, type EntityManager, type RequiredEntityData } from '@mikro-orm/postgresql';
import { fieldRequired, invalid, noSuchEntity } from '../../../domain/errors.ts';
import type { Amount } from '../../../domain/money/amount.ts';
import { conditionFault, type CatalogRuleCondition } from '../../../domain/platform/catalog-rules/catalog-rule.ts';
import { transact } from '../../support/transact.ts';
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
 * Creates a rule, or changes what is sent of one; prices follow automatically (platform facts 9.3).
 *
 * A repeat of a change leaves the same rule. Refused with: 404 unknown rule · 400 no name, action or amount for a new
 * one, an unknown website or customer group, an amount below 0 or a percentage above 100, a last day before the first, an
 * invalid condition.
 *
 * @returns the rule's id
 */
export const saveCatalogRule = (
  em: EntityManager,
  { ruleId, draft }: { ruleId: number | undefined; draft: CatalogRuleDraft },
): Promise<number> =>
  transact(em, async (tx) => {
    await refuseUnknownWebsites(tx, 'website_ids', draft.websiteIds ?? []);
    await refuseUnknownGroups(tx, 'customer_group_ids', draft.customerGroupIds ?? []);
    const sent = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
    const rule = ruleId === undefined ? newRule(tx, { ...draft, ...sent }) : await lockedRule(tx, ruleId);
    tx.assign(rule, sent);
    refuseNonsense(rule);
    await tx.flush();
    return rule.ruleId;
  });

async function lockedRule(tx: EntityManager, ruleId: number): Promise<CatalogRule> {
  const rule = await tx.findOne(CatalogRule, { ruleId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!rule) throw noSuchEntity('ruleId', ruleId);
  return rule;
}

function newRule(tx: EntityManager, draft: CatalogRuleDraft): CatalogRule {
  const { name, simpleAction, discountAmount } = draft;
  if (!name?.trim()) throw fieldRequired('name');
  if (simpleAction === undefined) throw fieldRequired('simple_action');
  if (discountAmount === undefined) throw fieldRequired('discount_amount');
  const rule: RequiredEntityData<CatalogRule> = {
    name,
    simpleAction,
    discountAmount,
    conditions: draft.conditions ?? [],
  };
  return tx.create(CatalogRule, rule);
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

const wrong = (fieldName: string) => invalid('The value of "%fieldName" cannot be.', { fieldName });
