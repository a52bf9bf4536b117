import { salesRuleDoor } from './sales-rule-door.ts';
import { searchSalesRules } from '../../../db/platform/sales-rules/search-sales-rules.ts';
import { listRoute } from '../../http/list-route.ts';
import { unknownField } from '../../wire/search-criteria.ts';
import { renderSalesRule, salesRuleAnswer } from './render-sales-rule.ts';

/** Promotions, for a register that calculates totals itself; some need a coupon (platform facts 9.4). */
export const listSalesRules = listRoute({
  path: '/V1/salesRules/search',
  ...salesRuleDoor,
  summary: 'Search promotions',
  name: 'listSalesRules',
  description: `Promotions, for a register that adds up by itself. \`coupon_type\` says which need a coupon.
    \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: salesRuleAnswer,
  find: searchSalesRules,
  render: renderSalesRule,
});
