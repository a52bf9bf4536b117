import { z } from 'zod';
import { readTaxRule } from '../../../db/platform/tax/search-tax.ts';
import { route } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';
import { renderTaxRule, taxRuleAnswer } from './render-tax-rule.ts';

/** One tax rule (platform facts 9.5). Refused with 404: an unknown one. */
export const getTaxRule = route({
  method: 'GET',
  path: '/V1/taxRules/:ruleId',
  acl: 'Platform_Tax::manage_tax',
  summary: 'One tax rule',
  name: 'getTaxRule',
  description: 'Which rates hold for one class of goods. A rule has the id of that class.',
  outcomes: [unknownEntity('No rate is for this class of goods.')],
  examples: [
    {
      title: 'Taxable goods',
      params: { ruleId: 2 },
      response: {
        ...{ id: 2, code: 'Class 2', priority: 0, position: 0, customer_tax_class_ids: [3] },
        ...{ product_tax_class_ids: [2], tax_rate_ids: [1], calculate_subtotal: false },
      },
    },
  ],
  params: z.object({ ruleId: idParam }),
  response: taxRuleAnswer,

  handle: async ({ em, params: { ruleId } }) => renderTaxRule(await readTaxRule(em, ruleId)),
});
