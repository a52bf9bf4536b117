import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Product } from './product.entity.ts';

/** The bytes of a product's picture, as the address names them: a file never changes, a new picture is a new file. */
export const ProductPicture = defineEntity({
  name: 'ProductPicture',
  tableName: 'product_picture',
  properties: {
    pictureId: p.integer().primary().autoincrement(),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id').index().deleteRule('cascade'),
    /** Below the folder of product pictures, with the slash before it. */
    file: p.string().length(255).unique(),
    mimeType: p.string().length(32),
    content: p.blob(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export type ProductPicture = InferEntity<typeof ProductPicture>;
