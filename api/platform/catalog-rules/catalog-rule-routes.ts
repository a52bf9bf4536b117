import { z } from 'zod';
import { deleteCatalogRule } from '../../../db/platform/catalog-rules/delete-catalog-rule.ts';
import { readCatalogRule, readCatalogRules } from '../../../db/platform/catalog-rules/read-catalog-rules.ts';
import { saveCatalogRule } from '../../../db/platform/catalog-rules/save-catalog-rule.ts';
import { noSuchEntity } from '../../../domain/errors.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { route, type AnyRoute, type RouteContext } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import {
  catalogRuleAnswer,
  catalogRulePayload,
  renderCatalogRule,
  toCatalogRuleDraft,
} from './catalog-rule-payload.ts';
import { unknownEntity } from '../../wire/outcomes.ts';

const acl = 'Platform_CatalogRule::promo_catalog';

const soon = 'Prices follow within seconds, at the latest with the next run of the indexer.';
const unknownRule = unknownEntity('no rule has this id');
const nonsense = {
  status: 400,
  message: 'The value of "%fieldName" cannot be.',
  when: 'an amount is below 0, a percentage above 100, a last day before the first, or a condition has no meaning',
  then: 'correct the field that is named',
};
const unknownId = {
  status: 400,
  message: 'Invalid value of "%value" provided for the %fieldName field.',
  when: 'a website or a customer group is not known',
};
const missing = {
  status: 400,
  message: '"%fieldName" is required. Enter and try again.',
  when: 'a new rule has no name, action or amount',
};

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

async function answerSaved(around: Pick<RouteContext, 'em' | 'workflows' | 'log'>, ruleId: number) {
  await followPrices(around);
  const rule = await readCatalogRule(around.em, ruleId);
  if (!rule) throw noSuchEntity('ruleId', ruleId);
  return renderCatalogRule(rule);
}

/** Creates a rule. Each call makes another, unless it carries an `Idempotency-Key`. */
const createCatalogRule = route({
  method: 'POST',
  path: '/V1/catalogRules',
  acl,
  name: 'createCatalogRule',
  summary: 'Create a catalog price rule',
  description: `A promotion on the catalog's own prices, in base currency (platform facts 9.3). Rules apply in the order of
\`sort_order\`, each to the result of the one before, rounded to the website's coins; \`stop_rules_processing\` ends the chain.
No \`website_ids\` or \`customer_group_ids\`, or an empty list: all of them. Days are the website's own; an empty one is none. ${soon}`,
  outcomes: [missing, nonsense, unknownId],
  examples: [{ title: 'A sale of four days', body: { rule: lamps }, response: saved }],
  body: z.object({ rule: catalogRulePayload }),
  response: catalogRuleAnswer,

  async handle({ em, body: { rule }, workflows, log }) {
    const ruleId = await saveCatalogRule(em, { ruleId: undefined, draft: toCatalogRuleDraft(rule) });
    return answerSaved({ em, workflows, log }, ruleId);
  },
});

/** Changes the sent fields of a rule. A repeat leaves the same rule. */
const updateCatalogRule = route({
  method: 'PUT',
  path: '/V1/catalogRules/:ruleId',
  acl,
  name: 'updateCatalogRule',
  summary: 'Change a catalog price rule',
  description: `What is left out stays as it is. A repeat leaves the same rule. ${soon}`,
  outcomes: [unknownRule, nonsense, unknownId],
  examples: [
    {
      title: 'Switch it off',
      params: { ruleId: 4 },
      body: { rule: { is_active: false } },
      response: { ...saved, is_active: false },
    },
  ],
  params: z.object({ ruleId: idParam }),
  body: z.object({ rule: catalogRulePayload }),
  response: catalogRuleAnswer,

  async handle({ em, params: { ruleId }, body: { rule }, workflows, log }) {
    await saveCatalogRule(em, { ruleId, draft: toCatalogRuleDraft(rule) });
    return answerSaved({ em, workflows, log }, ruleId);
  },
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
    if (!(await deleteCatalogRule(em, ruleId))) throw noSuchEntity('ruleId', ruleId);
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

  handle: async ({ em }) => (await readCatalogRules(em)).map(renderCatalogRule),
});

/** Promotions on the catalog's own prices (platform facts 9.3). */
export const catalogRuleRoutes: readonly AnyRoute[] = [
  listCatalogRules,
  createCatalogRule,
  updateCatalogRule,
  deleteCatalogRuleRoute,
];
