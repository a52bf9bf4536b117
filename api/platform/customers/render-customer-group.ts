import { z } from 'zod';
import type { CustomerGroupRow } from '../../../db/platform/customers/search-customer-groups.ts';

export const customerGroupAnswer = z
  .object({
    id: z.int(),
    code: z.string(),
    tax_class_id: z.int(),
    tax_class_name: z.string(),
  })
  .meta({ id: 'CustomerGroup' });

export const renderCustomerGroup = ({ id, code, tax_class_id, tax_class_name }: CustomerGroupRow) => ({
  id,
  code,
  tax_class_id,
  tax_class_name,
});
