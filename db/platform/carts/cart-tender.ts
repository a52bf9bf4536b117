import type { EntityManager } from '@mikro-orm/postgresql';
import type { Amount } from '../../../domain/money/amount.ts';
import type { PostedOrder } from '../orders/posted-order.ts';
import type { CartChoices } from './read-cart.ts';

/** What a cart comes to, or what is left of it, in both currencies. */
export interface CartDue {
  baseAmount: Amount;
  amount: Amount;
}

/** Something that pays a part of a cart: a segment of its totals, told as a positive amount. */
export interface CartTender extends CartDue {
  code: string;
  title: string;
}

/**
 * Where such a tender comes from. The platform knows only that there is a list; the wiring says who is in it.
 *
 * `look` only reads. `take` is asked inside the placement's transaction, the cart locked, and locks what it needs; it
 * refuses with 400 when it can no longer pay what it told. `carry` puts what was taken into the order that is placed.
 */
export interface CartTenderSource {
  look(em: EntityManager, cart: CartChoices, due: CartDue): Promise<CartTender | undefined>;
  take(em: EntityManager, cart: CartChoices, due: CartDue): Promise<CartTender | undefined>;
  carry(posted: PostedOrder, tender: CartTender): PostedOrder;
}
