import { z } from 'zod';
import { catalogRules, readCatalogRules } from '../../db/platform/catalog-rules/catalog-rules.ts';
import { toWire } from '../../domain/money.ts';
import { aggregators, catalogRuleActions, conditionOperators } from '../../domain/platform/stock-rules.ts';
import { valueOfFieldNotPossible } from '../../domain/refusals/customers.ts';
import { resource } from '../http/resource.ts';
import { route, type AnyRoute } from '../http/route.ts';
import { followPrices } from '../temporal/follow-prices.ts';
import { unknownEntity, invalidField, requiredField } from '../wire/outcomes.ts';
import { flag, idParam, integer, money, recordId, text } from '../wire/schemas.ts';

const acl = 'Platform_CatalogRule::promo_catalog';

/** More websites or groups than any shop has. */
const mostIds = 1_000;
const ids = z.array(recordId).max(mostIds);

/** `YYYY-MM-DD`, a valid day; empty: none. */
const calendarDay = z.union([z.iso.date(), z.literal('')]);

const condition = z.object({
  attribute: text(60),
  operator: z.enum(conditionOperators),
  values: z.array(text(255)).max(mostIds),
});

const catalogRuleAnswer = z
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

const soon = 'Prices follow within seconds, at the latest with the next run of the indexer.';
const unknownRule = unknownEntity('no rule has this id');
const nonsense = valueOfFieldNotPossible.because(
  'an amount is below 0, a percentage above 100, a last day before the first, or a condition has no meaning',
  'correct the field that is named',
);
const unknownId = invalidField('a website or a customer group is not known');
const missing = requiredField('a new rule has no name, action or amount');

const lamps = {
  name: 'Lamps, 15 % off for wholesale',
  is_active: true,
  website_ids: [1],
  customer_group_ids: [2],
  from_date: '2026-11-27',
  to_date: '2026-11-30',
  aggregator: 'all',
  conditions: [{ attribute: 'category_ids', operator: 'is_one_of', values: ['12'] }],
  simple_action: 'by_percent',
  discount_amount: 15,
  sort_order: 10,
  stop_rules_processing: true,
} as const;
const saved = { rule_id: 4, ...lamps };

const orAllWhenEmpty = (input: number[] | undefined) => (input?.length === 0 ? null : input);

const rule = resource({
  records: catalogRules,
  acl,
  unknown: unknownRule,
  body: 'rule',
  /** An absent field keeps its value, an empty list means all (platform facts 9.3). */
  sent: z.object({
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
  }),
  draft: (sent) => ({
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
  }),
  answer: catalogRuleAnswer,
  render: (rule) => ({
    rule_id: rule.ruleId,
    name: rule.name,
    is_active: rule.isActive,
    website_ids: rule.websiteIds?.map(Number) ?? null,
    customer_group_ids: rule.customerGroupIds?.map(Number) ?? null,
    from_date: rule.fromDate ?? null,
    to_date: rule.toDate ?? null,
    aggregator: rule.aggregator,
    conditions: rule.conditions.map(({ attribute, operator, values }) => ({
      attribute,
      operator,
      values: [...values],
    })),
    simple_action: rule.simpleAction,
    discount_amount: toWire(rule.discountAmount),
    sort_order: rule.sortOrder,
    stop_rules_processing: rule.stopRulesProcessing,
  }),
});

/** Removes a rule; a repeat finds none. */
const deleteCatalogRuleRoute = route({
  method: 'DELETE',
  path: '/V1/catalogRules/:ruleId',
  acl,
  name: 'deleteCatalogRule',
  summary: 'Delete a catalog price rule',
  description: `${soon} A repeat is refused with 404.`,
  outcomes: [unknownRule],
  examples: [{ title: 'The sale is over', params: { ruleId: 4 }, response: true }],
  params: z.object({ ruleId: idParam }),
  response: z.boolean(),

  async handle({ em, params: { ruleId }, workflows, log }) {
    await catalogRules.remove(em, ruleId);
    await followPrices({ em, workflows, log });
    return true;
  },
});

/** Every rule, in the order they are applied. */
const listCatalogRules = route({
  method: 'GET',
  path: '/V1/catalogRules',
  acl,
  name: 'listCatalogRules',
  summary: 'Catalog price rules',
  description: 'Every rule, in the order they are applied, 1,000 at most.',
  outcomes: [],
  examples: [{ title: 'One rule', response: [saved] }],
  response: z.array(catalogRuleAnswer),

  handle: async ({ em }) => (await readCatalogRules(em)).map((one) => rule.render(one)),
});

/** Promotions on the catalog's own prices (platform facts 9.3). */
export const catalogRuleRoutes: readonly AnyRoute[] = [
  listCatalogRules,

  rule.create({
    path: '/V1/catalogRules',
    name: 'createCatalogRule',
    summary: 'Create a catalog price rule',
    description: `A promotion on the catalog's own prices, in base currency (platform facts 9.3). Rules apply in the
order of
\`sort_order\`, each to the result of the one before, rounded to the website's coins; \`stop_rules_processing\` ends the
chain.
No \`website_ids\` or \`customer_group_ids\`, or an empty list: all of them. Days are the website's own; an empty one is
none. ${soon}`,
    outcomes: [missing, nonsense, unknownId],
    examples: [{ title: 'A sale of four days', body: { rule: lamps }, response: saved }],
    after: followPrices,
  }),

  rule.update({
    path: '/V1/catalogRules/:ruleId',
    name: 'updateCatalogRule',
    summary: 'Change a catalog price rule',
    description: `What is left out stays as it is. A repeat leaves the same rule. ${soon}`,
    outcomes: [nonsense, unknownId],
    examples: [
      {
        title: 'Switch it off',
        params: { ruleId: 4 },
        body: { rule: { is_active: false } },
        response: { ...saved, is_active: false },
      },
    ],
    after: followPrices,
  }),

  deleteCatalogRuleRoute,
];
