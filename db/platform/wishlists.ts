import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../domain/errors.ts';
import type { Quantity } from '../../domain/money.ts';
import { wishlistIsFull } from '../../domain/refusals/customers.ts';
import { isSku } from '../support/columns.ts';
import { quantity } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { nameIn, statusOn } from './catalog/attribute-sql.ts';

/** The most products of one wishlist. */
export const mostInputs = 500;

export interface RequestedInput {
  customerId: number;
  sku: string;
  qty: Quantity;
  description: string | null;
}

/**
 * Puts a product on a customer's wishlist; an existing entry gets this quantity and note. A repeat changes nothing.
 * Refused with: 404 unknown customer or sku · 400 a full list.
 */
export const saveInput = (em: EntityManager, { customerId, sku, qty, description }: RequestedInput): Promise<void> =>
  transact(em, async (tx) => {
    const found = await lock.first(tx, { customerId, sku });
    if (!found) throw noSuchEntity('customerId', customerId);
    const { productId } = found;
    if (productId === null) throw noSuchEntity('sku', sku);
    const counted = await countOthers.first(tx, { customerId, productId });
    if (!counted || counted.others >= mostInputs) throw wishlistIsFull([mostInputs]);
    await keep.run(tx, { customerId, productId, qty, description });
  });

/** Locks the customer's row: concurrent calls cannot exceed the limit together. */
const lock = sql('wishlists.lock')`
  select p.entity_id as product_id
  from customer c left join product p on ${isSku('p.sku')} where c.id = $customerId for no key update of c`;

/** A separate statement: one that waits for a lock would still count the rows from before the wait. */
const countOthers = sql('wishlists.countOthers')`
  select count(*) as others from wishlist_item where customer_id = $customerId and product_id <> $productId`;

const keep = sql('wishlists.keep', { takes: { qty: quantity } })`
  insert into wishlist_item (customer_id, product_id, qty, description, created_at, updated_at)
  values ($customerId, $productId, $qty, $description?, now(), now())
  on conflict (customer_id, product_id) do update
    set qty = excluded.qty, description = excluded.description, updated_at = now()`;

export type Input = RowFrom<typeof selectWishlists>;

/** A customer's wishlist, newest first. Refused with: 404 unknown customer. */
export async function readWishlist(em: EntityManager, customerId: number): Promise<Input[]> {
  const inputs = await selectWishlists.all(em, { customerId, limit: mostInputs });
  if (inputs.length === 0 && !(await known.first(em, { customerId }))?.isKnown)
    throw noSuchEntity('customerId', customerId);
  return inputs;
}

const selectWishlists = sql('wishlists.selectWishlists')`
  select i.wishlist_item_id, i.product_id, i.qty, i.description, i.created_at, i.updated_at, p.sku, p.price,
    p.type_id,
    ${nameIn('p', 'c.store_id')} as name, ${statusOn('p', 'c.website_id')} as status
  from wishlist_item i join product p on p.entity_id = i.product_id join customer c on c.id = i.customer_id
  where i.customer_id = $customerId order by i.wishlist_item_id desc limit $limit`;

const known = sql('wishlists.known')`select exists (select from customer where id = $customerId) as is_known`;
