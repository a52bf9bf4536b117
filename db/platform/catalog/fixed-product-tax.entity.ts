import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { amountColumn } from '../../support/columns.ts';
import { Product } from './product.entity.ts';

/** A fixed tax per unit of a product, base currency, by country and region (platform facts 9.2). Region 0: whole country. */
export const FixedProductTax = defineEntity({
  name: 'FixedProductTax',
  tableName: 'fixed_product_tax',
  properties: {
    valueId: p.integer().primary().autoincrement(),
    productId: () => p.manyToOne(Product).mapToPk().fieldName('product_id').index().deleteRule('cascade'),
    attributeCode: p.string().length(64),
    websiteId: p.integer().default(0),
    countryId: p.string().length(2),
    regionId: p.integer().default(0),
    value: amountColumn(),
  },
  uniques: [
    {
      name: 'fixed_product_tax_once_per_place',
      properties: ['productId', 'attributeCode', 'websiteId', 'countryId', 'regionId'],
    },
  ],
});

export type FixedProductTax = InferEntity<typeof FixedProductTax>;
