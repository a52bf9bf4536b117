import { z } from 'zod';
import type { EntityManager } from '@mikro-orm/postgresql';
import { deleteTaxRule, saveTaxRule } from '../../../db/platform/tax/save-tax-rule.ts';
import { readTaxRule } from '../../../db/platform/tax/search-tax.ts';
import { route, type Outcome } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { flag, idParam, integer, payload, text } from '../../wire/schemas.ts';
import { renderTaxRule, taxRuleAnswer } from './render-tax-rule.ts';
import { exampleTaxRule, takenCode, taxDoor } from './tax-words.ts';

/** The platform's own file of tax rates for one country has some thousands. */
const maxRates = 10_000;
const maxClasses = 100;

/** A rule as it is sent: what a read answered may be sent back. */
const taxRulePayload = payload({
  id: idParam.optional(),
  code: text(255).optional(),
  priority: integer.optional(),
  position: integer.optional(),
  customer_tax_class_ids: z.array(idParam).max(maxClasses).optional(),
  product_tax_class_ids: z.array(idParam).max(maxClasses).optional(),
  tax_rate_ids: z.array(idParam).max(maxRates).optional(),
  calculate_subtotal: flag.optional(),
}).meta({ id: 'TaxRule' });

async function save(em: EntityManager, sent: z.output<typeof taxRulePayload>) {
  const ruleId = await saveTaxRule(em, {
    ruleId: sent.id || undefined,
    rule: {
      code: sent.code,
      priority: sent.priority,
      position: sent.position,
      calculateSubtotal: sent.calculate_subtotal,
      customerTaxClassIds: sent.customer_tax_class_ids,
      productTaxClassIds: sent.product_tax_class_ids,
      taxRateIds: sent.tax_rate_ids,
    },
  });
  return renderTaxRule(await readTaxRule(em, ruleId));
}

const unknownRule: Outcome = unknownEntity('There is no rule of this id.');

const form = {
  ...taxDoor,
  outcomes: [
    unknownRule,
    {
      status: 400,
      message: '"code" is required. Enter and try again.',
      when: 'The code is missing; so for every other field. Several faults stand one below the other.',
    },
    {
      status: 400,
      message: 'No such entity with class_id = 77',
      when: 'A tax class does not exist; so for `tax_rate_ids`. A class of the wrong kind is named by its field.',
    },
    {
      status: 400,
      message: 'The priority value of "-1" must be greater than or equal to 0.',
      when: 'The priority or the position is below 0.',
    },
    takenCode,
  ],
  body: z.object({ rule: taxRulePayload }),
  response: taxRuleAnswer,
};

/**
 * Creates a tax rule; with an `id` it changes that one, as on the platform (platform facts 9.5). A repeat without an id
 * is refused, because its code is taken. Refused as `saveTaxRule`.
 */
export const createTaxRule = route({
  ...form,
  method: 'POST',
  path: '/V1/taxRules',
  name: 'createTaxRule',
  summary: 'Create a tax rule',
  description: `Says which rates hold when a customer of one of the classes buys goods of one of the classes. Of each rule
the rate of the narrowest place counts. Rates of rules with the same \`priority\` are added; the next priority is of the
price with that tax, or of the price alone with \`calculate_subtotal\`. With an \`id\`, that rule is changed instead.`,
  examples: [
    { title: 'Taxable goods', body: { rule: { ...exampleTaxRule, id: undefined } }, response: exampleTaxRule },
  ],

  handle: ({ em, body: { rule } }) => save(em, rule),
});

/** Changes the tax rule of the body's id (platform facts 9.5). A repeat leaves the same rule. Refused as above. */
export const updateTaxRule = route({
  ...form,
  method: 'PUT',
  path: '/V1/taxRules',
  name: 'updateTaxRule',
  summary: 'Change a tax rule',
  description: `The \`id\` stands in the body, and the rule is sent whole. Carts are taxed by it from the next reading on;
orders keep their tax. A repeat leaves the same rule.`,
  examples: [
    {
      title: 'Another name',
      body: { rule: { ...exampleTaxRule, code: 'Taxable goods' } },
      response: { ...exampleTaxRule, code: 'Taxable goods' },
    },
  ],

  handle: ({ em, body: { rule } }) => save(em, rule),
});

/** Deletes a tax rule; its rates and classes stay. A repeat is a 404. Refused with 404 `taxRuleId`: unknown. */
export const removeTaxRule = route({
  ...taxDoor,
  method: 'DELETE',
  path: '/V1/taxRules/:ruleId',
  name: 'deleteTaxRule',
  summary: 'Delete a tax rule',
  description: 'Its rates and classes stay. Carts no longer bear its rates.',
  outcomes: [unknownRule],
  examples: [{ title: 'Deleted', params: { ruleId: 2 }, response: true }],
  params: z.object({ ruleId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { ruleId } }) {
    await deleteTaxRule(em, ruleId);
    return true as const;
  },
});
