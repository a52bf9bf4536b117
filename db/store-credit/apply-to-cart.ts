import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { formatAmount, isPositive } from '../../domain/money/amount.ts';
import { lockCart, type CartOwner } from '../platform/carts/lock-cart.ts';
import { readCart } from '../platform/carts/read-cart.ts';
import { query } from '../support/query.ts';
import { transact } from '../support/transact.ts';
import { readCartWallet } from './cart-wallet.ts';

/**
 * Lets the customer's store credit pay the cart when it is placed, as far as it goes (spec 4.11). Only the cart is
 * written: no wallet moves (I-25). A repeat notes the balance of now.
 *
 * Refused with: 404 no active cart · 400 nothing in the wallet (our choice).
 */
export const applyToCart = (em: EntityManager, owner: CartOwner): Promise<void> =>
  transact(em, async (tx) => {
    const cart = await readCart(tx, await lockCart(tx, owner));
    const { balance } = await readCartWallet(tx, cart, { isBinding: false });
    if (!isPositive(balance)) throw invalid('There is no store credit to apply.');
    await query(tx, applyText, [cart.quoteId, formatAmount(balance)]);
  });

const applyText = `
update quote set uses_store_credit = true, store_credit_seen = $2, updated_at = now() where quote_id = $1`;

/** Lets the cart be paid without store credit again. Safe to repeat; no wallet moves. Refused with: 404 no active cart. */
export const removeFromCart = (em: EntityManager, owner: CartOwner): Promise<void> =>
  transact(em, async (tx) => {
    await query(tx, removeText, [await lockCart(tx, owner)]);
  });

const removeText = `
update quote set uses_store_credit = false, store_credit_seen = null, updated_at = now() where quote_id = $1`;
