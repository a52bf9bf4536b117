import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Product } from './product.entity.ts';

/** The bytes of a product's picture. A file never changes: a new picture gets a new file name. */
export const ProductPicture = defineEntity({
  name: 'ProductPicture',
  tableName: 'product_picture',
  properties: {
    pictureId: p.integer().primary().autoincrement(),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id').index().deleteRule('cascade'),
    /** The path below the folder of product pictures. It starts with a slash. */
    file: p.string().length(255).unique(),
    mimeType: p.string().length(32),
    content: p.blob(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export type ProductPicture = InferEntity<typeof ProductPicture>;
