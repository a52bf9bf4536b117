import { searchTaxRules } from '../../../db/platform/tax/search-tax.ts';
import { listRoute } from '../../http/list-route.ts';
import { unknownField } from '../../wire/search-criteria.ts';
import { renderTaxRule, taxRuleAnswer } from './render-tax-rule.ts';

/** The rates of each product class (platform facts 9.5). */
export const listTaxRules = listRoute({
  path: '/V1/taxRules/search',
  acl: 'Platform_Tax::manage_tax',
  summary: 'Search tax rules',
  name: 'listTaxRules',
  description: `Which rates hold for which class of goods. \`searchCriteria\` is required: send
    \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: taxRuleAnswer,
  find: searchTaxRules,
  render: renderTaxRule,
});
