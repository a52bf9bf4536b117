import { z } from 'zod';
import { searchTaxClasses } from '../../../db/platform/tax/search-tax.ts';
import { listRoute } from '../../http/list-route.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** The tax classes of products and of customers (platform facts 8, 9.5). */
export const listTaxClasses = listRoute({
  path: '/V1/taxClasses/search',
  acl: 'Platform_Tax::manage_tax',
  summary: 'Search tax classes',
  name: 'listTaxClasses',
  description: `The tax classes of products and of customers. \`searchCriteria\` is required: send
    \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: z.object({ class_id: z.int(), class_name: z.string(), class_type: z.string() }),
  find: searchTaxClasses,
  render: ({ class_id, class_name, class_type }) => ({ class_id, class_name, class_type }),
});
