import { z } from 'zod';
import { customerTaxClassId, type TaxRuleRow } from '../../../db/platform/tax/search-tax.ts';

export const taxRuleAnswer = z.object({
  id: z.int(),
  code: z.string(),
  priority: z.int(),
  position: z.int(),
  customer_tax_class_ids: z.array(z.int()),
  product_tax_class_ids: z.array(z.int()),
  tax_rate_ids: z.array(z.int()),
  calculate_subtotal: z.boolean(),
});

export const renderTaxRule = ({ tax_class_id, rate_ids }: TaxRuleRow) => ({
  id: tax_class_id,
  code: `Class ${tax_class_id}`,
  priority: 0,
  position: 0,
  customer_tax_class_ids: [customerTaxClassId],
  product_tax_class_ids: [tax_class_id],
  tax_rate_ids: [...rate_ids],
  calculate_subtotal: false,
});
