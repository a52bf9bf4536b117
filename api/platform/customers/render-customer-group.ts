import { z } from 'zod';
import type { CustomerGroupRow } from '../../../db/platform/customers/search-customer-groups.ts';

export const customerGroupAnswer = z
  .object({
    id: z.int(),
    code: z.string(),
    tax_class_id: z.int(),
    tax_class_name: z.string(),
    extension_attributes: z.object({ exclude_website_ids: z.array(z.int()) }).optional(),
  })
  .meta({ id: 'CustomerGroup' });

export const renderCustomerGroup = ({ exclude_website_ids, ...group }: CustomerGroupRow) => ({
  id: group.id,
  code: group.code,
  tax_class_id: group.tax_class_id,
  tax_class_name: group.tax_class_name,
  ...(exclude_website_ids.length === 0 ? {} : { extension_attributes: { exclude_website_ids } }),
});
