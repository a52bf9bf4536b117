import { z } from 'zod';
import { toWire } from '../../../domain/money/amount.ts';
import type { CatalogRuleRow } from '../../../db/platform/catalog-rules/read-catalog-rules.ts';
import type { CatalogRuleDraft } from '../../../db/platform/catalog-rules/save-catalog-rule.ts';
import {
  aggregators,
  catalogRuleActions,
  conditionOperators,
} from '../../../domain/platform/catalog-rules/catalog-rule.ts';
import { flag, integer, money, text } from '../../wire/schemas.ts';

/** More websites or groups than any shop has. */
const mostIds = 1_000;
const ids = z.array(integer).max(mostIds);

/** `YYYY-MM-DD`, a valid day; empty: none. */
const calendarDay = z.union([z.iso.date(), z.literal('')]);

const condition = z.object({
  attribute: text(60),
  operator: z.enum(conditionOperators),
  values: z.array(text(255)).max(mostIds),
});

/** A rule that is sent (platform facts 9.3); an absent field keeps its value, an empty list means all. */
export const catalogRulePayload = z.object({
  name: text(255).optional(),
  is_active: flag.optional(),
  website_ids: ids.optional(),
  customer_group_ids: ids.optional(),
  from_date: calendarDay.optional(),
  to_date: calendarDay.optional(),
  aggregator: z.enum(aggregators).optional(),
  conditions: z.array(condition).max(mostIds).optional(),
  simple_action: z.enum(catalogRuleActions).optional(),
  discount_amount: money.optional(),
  sort_order: integer.optional(),
  stop_rules_processing: flag.optional(),
});

export const toCatalogRuleDraft = (sent: z.output<typeof catalogRulePayload>): CatalogRuleDraft => ({
  name: sent.name,
  isActive: sent.is_active,
  websiteIds: orAllWhenEmpty(sent.website_ids),
  customerGroupIds: orAllWhenEmpty(sent.customer_group_ids),
  fromDate: sent.from_date === '' ? null : sent.from_date,
  toDate: sent.to_date === '' ? null : sent.to_date,
  aggregator: sent.aggregator,
  conditions: sent.conditions,
  simpleAction: sent.simple_action,
  discountAmount: sent.discount_amount,
  sortOrder: sent.sort_order,
  stopRulesProcessing: sent.stop_rules_processing,
});

const orAllWhenEmpty = (given: number[] | undefined) => (given?.length === 0 ? null : given);

export const catalogRuleAnswer = z
  .object({
    rule_id: z.int(),
    name: z.string(),
    is_active: z.boolean(),
    /** Null: every one. */
    website_ids: z.array(z.int()).nullable(),
    customer_group_ids: z.array(z.int()).nullable(),
    from_date: z.string().nullable(),
    to_date: z.string().nullable(),
    aggregator: z.enum(aggregators),
    conditions: z.array(
      z.object({ attribute: z.string(), operator: z.enum(conditionOperators), values: z.array(z.string()) }),
    ),
    simple_action: z.enum(catalogRuleActions),
    discount_amount: z.number(),
    sort_order: z.int(),
    stop_rules_processing: z.boolean(),
  })
  .meta({ id: 'CatalogRule' });

export const renderCatalogRule = (rule: CatalogRuleRow): z.input<typeof catalogRuleAnswer> => ({
  rule_id: rule.ruleId,
  name: rule.name,
  is_active: rule.isActive,
  website_ids: rule.websiteIds?.map(Number) ?? null,
  customer_group_ids: rule.customerGroupIds?.map(Number) ?? null,
  from_date: rule.fromDate,
  to_date: rule.toDate,
  aggregator: rule.aggregator,
  conditions: rule.conditions.map(({ attribute, operator, values }) => ({ attribute, operator, values: [...values] })),
  simple_action: rule.simpleAction,
  discount_amount: toWire(rule.discountAmount),
  sort_order: rule.sortOrder,
  stop_rules_processing: rule.stopRulesProcessing,
});
