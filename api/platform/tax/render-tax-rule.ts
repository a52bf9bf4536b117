import { z } from 'zod';
import type { TaxRuleRow } from '../../../db/platform/tax/search-tax.ts';

export const taxRuleAnswer = z
  .object({
    id: z.int(),
    code: z.string(),
    priority: z.int(),
    position: z.int(),
    customer_tax_class_ids: z.array(z.int()),
    product_tax_class_ids: z.array(z.int()),
    tax_rate_ids: z.array(z.int()),
    calculate_subtotal: z.boolean(),
  })
  .meta({ id: 'TaxRule' });

export const renderTaxRule = ({ rule_id, ...rule }: TaxRuleRow): z.input<typeof taxRuleAnswer> => ({
  id: rule_id,
  code: rule.code,
  priority: rule.priority,
  position: rule.position,
  customer_tax_class_ids: [...rule.customer_tax_class_ids],
  product_tax_class_ids: [...rule.product_tax_class_ids],
  tax_rate_ids: [...rule.tax_rate_ids],
  calculate_subtotal: rule.calculate_subtotal,
});
