import { z } from 'zod';
import { customerTaxClassId, searchTaxRules } from '../../../db/platform/tax/search-tax.ts';
import { listRoute } from '../../http/list-route.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** The rates of each product class (platform facts 9.5). */
export const listTaxRules = listRoute({
  path: '/V1/taxRules/search',
  acl: 'Platform_Tax::manage_tax',
  summary: 'Search tax rules',
  name: 'listTaxRules',
  description: `Which rates hold for which class of goods. \`searchCriteria\` is required: send
    \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: z.object({
    id: z.int(),
    code: z.string(),
    priority: z.int(),
    position: z.int(),
    customer_tax_class_ids: z.array(z.int()),
    product_tax_class_ids: z.array(z.int()),
    tax_rate_ids: z.array(z.int()),
    calculate_subtotal: z.boolean(),
  }),
  find: searchTaxRules,
  render: ({ tax_class_id, rate_ids }) => ({
    id: tax_class_id,
    code: `Class ${tax_class_id}`,
    priority: 0,
    position: 0,
    customer_tax_class_ids: [customerTaxClassId],
    product_tax_class_ids: [tax_class_id],
    tax_rate_ids: rate_ids,
    calculate_subtotal: false,
  }),
});
