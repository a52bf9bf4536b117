import { z } from 'zod';
import { readTaxRule } from '../../../db/platform/tax/search-tax.ts';
import { route } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';
import { renderTaxRule, taxRuleAnswer } from './render-tax-rule.ts';
import { exampleTaxRule } from './tax-words.ts';

/** One tax rule (platform facts 9.5). Refused with 404: an unknown one. */
export const getTaxRule = route({
  method: 'GET',
  path: '/V1/taxRules/:ruleId',
  acl: 'Platform_Tax::manage_tax',
  summary: 'One tax rule',
  name: 'getTaxRule',
  description: 'Which rates hold for goods and customers of which classes.',
  outcomes: [unknownEntity('There is no rule of this id.')],
  examples: [
    {
      title: 'Taxable goods',
      params: { ruleId: 2 },
      response: exampleTaxRule,
    },
  ],
  params: z.object({ ruleId: idParam }),
  response: taxRuleAnswer,

  handle: async ({ em, params: { ruleId } }) => renderTaxRule(await readTaxRule(em, ruleId)),
});
