import { searchTaxRates } from '../../../db/platform/tax/search-tax.ts';
import { listRoute } from '../../http/list-route.ts';
import { unknownField } from '../../wire/search-criteria.ts';
import { renderTaxRate, taxRateAnswer } from './render-tax-rate.ts';

/** The tax rates of all places, in percent, for a register that calculates totals itself (platform facts 9.5). */
export const listTaxRates = listRoute({
  path: '/V1/taxRates/search',
  acl: 'Platform_Tax::manage_tax',
  summary: 'Search tax rates',
  name: 'listTaxRates',
  description: `What each place takes, in percent. Region 0 is the whole country. The tax rules say for which goods
    a rate holds. \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: taxRateAnswer,
  find: searchTaxRates,
  render: renderTaxRate,
});
