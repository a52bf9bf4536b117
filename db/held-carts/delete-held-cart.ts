import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { cartKeyOf } from './cart-key.ts';
import { noSuchHeldCart } from './held-cart.repository.ts';

/** Removes a held cart, claimed or not (spec 4.4). Refused with: 404 unknown id, hence also a repeat. */
export async function deleteHeldCart(em: EntityManager, heldCartId: number): Promise<void> {
  if ((await byId.run(em, { heldCartId })) === 0) throw noSuchHeldCart(heldCartId);
}

const byId = statement({
  takes: { heldCartId: integer },
  text: 'delete from pos_held_cart where held_cart_id = $heldCartId',
});

/**
 * Removes a held cart by its register's own name for it (spec 4.4). Safe to repeat. It also succeeds for a cart that
 * was parked offline and never sent: the cart is gone either way.
 */
export async function deleteHeldCartByUuid(em: EntityManager, cartUuid: string): Promise<void> {
  await byUuid.run(em, { cartUuid });
}

const byUuid = statement({
  takes: { cartUuid: text },
  text: `delete from pos_held_cart where cart_key = ${cartKeyOf('$cartUuid::text')}`,
});
