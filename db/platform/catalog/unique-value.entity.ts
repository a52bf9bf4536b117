import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ProductAttributeRow } from './product-attribute.entity.ts';
import { Product } from './product.entity.ts';

/** A value that one product alone may have, because its attribute says so (platform facts 9.1). */
export const UniqueValue = defineEntity({
  name: 'UniqueValue',
  tableName: 'unique_value',
  properties: {
    attributeId: () =>
      p.manyToOne(ProductAttributeRow).mapToPk().primary().fieldName('attribute_id').deleteRule('cascade'),
    /** In small letters; of a long one its fingerprint. */
    value: p.string().length(255).primary(),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id').index().deleteRule('cascade'),
  },
});

export type UniqueValue = InferEntity<typeof UniqueValue>;
