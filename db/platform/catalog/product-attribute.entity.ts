import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** An attribute of the shop's own, which came with a product. The platform's are `platformAttributes`. */
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
