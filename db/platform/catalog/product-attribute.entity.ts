import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** An attribute that the shop made itself: it came with some product. Those of the platform are `platformAttributes`. */
export const ProductAttributeRow = defineEntity({
  name: 'ProductAttributeRow',
  tableName: 'product_attribute',
  properties: {
    attributeId: p.integer().primary().autoincrement(),
    attributeCode: p.string().length(60).unique(),
    /** `text`, or `weee` for a list of fixed taxes. */
    frontendInput: p.string().length(20).default('text'),
  },
});

export type ProductAttributeRow = InferEntity<typeof ProductAttributeRow>;
