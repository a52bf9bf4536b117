import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { nameIn, statusOn } from '../catalog/attribute-sql.ts';
import { Product } from '../catalog/product.entity.ts';
import { flag, integer } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { mostWishes } from './save-wish.ts';
import { WishlistItem } from './wishlist-item.entity.ts';

export type Wish = RowFrom<typeof read>;

/** A customer's wishlist, newest first. Refused with: 404 unknown customer. */
export async function readWishlist(em: EntityManager, customerId: number): Promise<Wish[]> {
  const wishes = await read.all(em, { customerId, limit: mostWishes });
  if (wishes.length === 0 && !(await known.first(em, { customerId }))?.isKnown)
    throw noSuchEntity('customerId', customerId);
  return wishes;
}

const read = statement({
  takes: { customerId: integer, limit: integer },
  gives: {
    ...of(WishlistItem, 'wishlistItemId', 'productId', 'qty', 'description', 'createdAt', 'updatedAt'),
    ...of(Product, 'sku', 'name', 'price', 'typeId', 'status'),
  },
  text: `
    select i.wishlist_item_id, i.product_id, i.qty, i.description, i.created_at, i.updated_at, p.sku, p.price, p.type_id,
      ${nameIn('p', 'c.store_id')} as name, ${statusOn('p', 'c.website_id')} as status
    from wishlist_item i join product p on p.entity_id = i.product_id join customer c on c.id = i.customer_id
    where i.customer_id = $customerId order by i.wishlist_item_id desc limit $limit`,
});

const known = statement({
  takes: { customerId: integer },
  gives: { isKnown: flag },
  text: 'select exists (select from customer where id = $customerId) as is_known',
});
