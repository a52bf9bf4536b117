import type { EntityManager } from '@mikro-orm/postgresql';
import { replaceOptions } from '../../db/platform/catalog/product-options.ts';
import { Product } from '../../db/platform/catalog/product.entity.ts';
import { money } from '../../domain/money/amount.ts';
import { categories } from './assortment.ts';

/** A mug with a name on it: what is engraved is entered, and the letters are chosen. */
export const engravedMug = {
  sku: 'MUG-NAMED',
  name: 'Mug with a name on it',
  price: '14',
  category: categories.tableware,
};

const longestName = 20;

const options = [
  {
    ...{ type: 'field', title: 'Name', sku: 'NAME', price: money('5'), priceType: 'fixed', sortOrder: 1 },
    ...{ isRequire: true, maxCharacters: longestName },
  },
  {
    ...{ type: 'drop_down', title: 'Letters', sortOrder: 2, isRequire: true },
    values: [
      { title: 'Plain', sku: 'PLAIN', price: money('0'), priceType: 'fixed', sortOrder: 1 },
      { title: 'Gold', sku: 'GOLD', price: money('3'), priceType: 'fixed', sortOrder: 2 },
    ],
  },
];

/** Gives the mug its options. One that has some keeps them. */
export async function seedEngravedMug(em: EntityManager): Promise<void> {
  const mug = await em.findOneOrFail(Product, { sku: engravedMug.sku });
  if (mug.options.length > 0) return;
  await replaceOptions(em, mug, options);
  await em.flush();
}
