import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../support/query.ts';
import { cartKeyOf } from './cart-key.ts';
import { noSuchHeldCart } from './held-cart.repository.ts';

/** Removes a held cart, claimed or not (spec 4.4). Refused with: 404 unknown id, hence also a repeat. */
export async function deleteHeldCart(em: EntityManager, heldCartId: number): Promise<void> {
  const gone = await query(em, 'delete from pos_held_cart where held_cart_id = $1 returning held_cart_id', [
    heldCartId,
  ]);
  if (gone.length === 0) throw noSuchHeldCart(heldCartId);
}

/**
 * Removes a held cart by its register's own name for it (spec 4.4). Safe to repeat, and right for a cart that was parked
 * offline and never came: what is wished holds.
 */
export async function deleteHeldCartByUuid(em: EntityManager, cartUuid: string): Promise<void> {
  await query(em, `delete from pos_held_cart where cart_key = ${cartKeyOf('$1::text')}`, [cartUuid]);
}
