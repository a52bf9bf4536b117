import { z } from 'zod';
import type { TaxClassRow } from '../../../db/platform/tax/search-tax.ts';

export const taxClassAnswer = z
  .object({ class_id: z.int(), class_name: z.string(), class_type: z.string() })
  .meta({ id: 'TaxClass' });

export const renderTaxClass = ({ class_id, class_name, class_type }: TaxClassRow) => ({
  class_id,
  class_name,
  class_type,
});
