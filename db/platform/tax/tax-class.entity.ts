import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { taxClassTypes } from '../../../domain/platform/tax/tax-class-errors.ts';

/** A class of goods or of customers. The tax rules say which rates hold between the two (platform facts 9.5). */
export const TaxClass = defineEntity({
  name: 'TaxClass',
  tableName: 'tax_class',
  properties: {
    classId: p.integer().primary().autoincrement(),
    className: p.string().length(255),
    classType: p.enum(taxClassTypes),
  },
  uniques: [
    {
      name: 'tax_class_once',
      expression: 'create unique index "tax_class_once" on "tax_class" ("class_type", lower("class_name"))',
    },
  ],
});

export type TaxClass = InferEntity<typeof TaxClass>;
