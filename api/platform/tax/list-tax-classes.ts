import { searchTaxClasses } from '../../../db/platform/tax/search-tax.ts';
import { listRoute } from '../../http/list-route.ts';
import { unknownField } from '../../wire/search-criteria.ts';
import { renderTaxClass, taxClassAnswer } from './render-tax-class.ts';

/** The tax classes of products and of customers (platform facts 8, 9.5). */
export const listTaxClasses = listRoute({
  path: '/V1/taxClasses/search',
  acl: 'Platform_Tax::manage_tax',
  summary: 'Search tax classes',
  name: 'listTaxClasses',
  description: `The tax classes of products and of customers. \`searchCriteria\` is required: send
    \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: taxClassAnswer,
  find: searchTaxClasses,
  render: renderTaxClass,
});
