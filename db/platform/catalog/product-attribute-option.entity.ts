import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { StoreLabel } from '../../../domain/platform/catalog/attribute-settings.ts';
import { ProductAttributeRow } from './product-attribute.entity.ts';

/** A value that an attribute offers; products have its id (platform facts 9.1). */
export const ProductAttributeOption = defineEntity({
  name: 'ProductAttributeOption',
  tableName: 'product_attribute_option',
  properties: {
    optionId: p.integer().primary().autoincrement(),
    attributeId: () => p.manyToOne(ProductAttributeRow).mapToPk().fieldName('attribute_id').deleteRule('cascade'),
    label: p.string().length(255),
    storeLabels: p.json<StoreLabel[]>().defaultRaw(`'[]'::jsonb`),
    sortOrder: p.integer().default(0),
  },
  uniques: [{ name: 'product_attribute_option_label_once', properties: ['attributeId', 'label'] }],
});

export type ProductAttributeOption = InferEntity<typeof ProductAttributeOption>;
