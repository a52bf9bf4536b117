import { z } from 'zod';
import { salesRuleDoor } from './sales-rule-door.ts';
import { noSuchRule, readSalesRule } from '../../../db/platform/sales-rules/search-sales-rules.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { exampleRule, renderSalesRule, salesRuleAnswer } from './render-sales-rule.ts';

/** One promotion (platform facts 9.4). Refused with 404: an unknown one. */
export const getSalesRule = route({
  method: 'GET',
  path: '/V1/salesRules/:ruleId',
  ...salesRuleDoor,
  summary: 'One promotion',
  name: 'getSalesRule',
  description: 'As in the list. A promotion for every website or customer group names all of them.',
  outcomes: [{ status: 404, message: noSuchRule, when: 'There is no promotion of this id.' }],
  examples: [{ title: 'Ten per cent off', params: { ruleId: 1 }, response: exampleRule }],
  params: z.object({ ruleId: idParam }),
  response: salesRuleAnswer,

  handle: async ({ em, params: { ruleId } }) => renderSalesRule(await readSalesRule(em, ruleId)),
});
