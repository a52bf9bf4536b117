import { z } from 'zod';
import { catalogRules, readCatalogRules } from '../../db/platform/catalog-rules/catalog-rules.ts';
import { aggregators, catalogRuleActions, conditionOperators } from '../../domain/platform/stock-rules.ts';
import { valueOfFieldNotPossible } from '../../domain/refusals/customers.ts';
import { resource } from '../http/resource.ts';
import { route, type AnyRoute } from '../http/route.ts';
import { followPrices } from '../temporal/follow-prices.ts';
import { fieldsOf, flag, integer, money, oneOf, text } from '../wire/fields.ts';
import { unknownEntity, invalidField, requiredField } from '../wire/outcomes.ts';
import { idParam, recordId, text as sentText } from '../wire/schemas.ts';

const acl = 'Platform_CatalogRule::promo_catalog';

/** More websites or groups than any shop has. */
const mostIds = 1_000;

/** `YYYY-MM-DD`, a valid day; empty: none. */
const calendarDay = z.union([z.iso.date(), z.literal('')]);

/** An empty day is none. */
const day = () => ({
  sent: calendarDay.transform((sent) => (sent === '' ? null : sent)),
  answer: z.string().nullable(),
});

/** Null: every one, which is sent as an empty list. */
const idsOrAll = () => ({
  sent: z
    .array(recordId)
    .max(mostIds)
    .transform((sent) => (sent.length === 0 ? null : sent)),
  answer: z.array(z.int()).nullable(),
  show: (stored: readonly (number | string)[]) => stored.map(Number),
});

const condition = z.object({
  attribute: sentText(60),
  operator: z.enum(conditionOperators),
  values: z.array(sentText(255)).max(mostIds),
});

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

const rule = resource({
  records: catalogRules,
  acl,
  unknown: unknownRule,
  body: 'rule',
  /** An absent field keeps its value (platform facts 9.3). */
  ...fieldsOf(
    {
      rule_id: z.int(),
      name: text(),
      is_active: flag(),
      website_ids: idsOrAll(),
      customer_group_ids: idsOrAll(),
      from_date: day(),
      to_date: day(),
      aggregator: oneOf(aggregators),
      conditions: {
        sent: z.array(condition).max(mostIds),
        answer: z.array(
          z.object({ attribute: z.string(), operator: z.enum(conditionOperators), values: z.array(z.string()) }),
        ),
      },
      simple_action: oneOf(catalogRuleActions),
      discount_amount: money(),
      sort_order: integer(),
      stop_rules_processing: flag(),
    },
    { answer: 'CatalogRule' },
    z.object,
  ),
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
  response: z.array(rule.answer),

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
