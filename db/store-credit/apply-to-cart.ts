import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { isPositive } from '../../domain/money/amount.ts';
import { lockCart, type CartKey } from '../platform/carts/lock-cart.ts';
import { readLockedCart } from '../platform/carts/read-cart.ts';
import { amount, integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { readCartWallet } from './cart-wallet.ts';

/**
 * Applies the customer's store credit to the cart: it pays as far as it goes when the cart is placed (spec 4.11).
 * Only the cart is written: no wallet moves (I-25). A repeat stores the present balance.
 *
 * Refused with: 404 no active cart · 400 an empty wallet (our choice).
 */
export const applyToCart = (em: EntityManager, key: CartKey): Promise<void> =>
  transact(em, async (tx) => {
    const cart = await readLockedCart(tx, key);
    const { balance } = await readCartWallet(tx, cart, { isBinding: false });
    if (!isPositive(balance)) throw invalid('There is no store credit to apply.');
    await apply.run(tx, { quoteId: cart.quoteId, balance });
  });

const apply = statement({
  takes: { quoteId: integer, balance: amount },
  text: `
    update quote set uses_store_credit = true, store_credit_seen = $balance, updated_at = now()
    where quote_id = $quoteId`,
});

/** Lets the cart be paid without store credit again. Safe to repeat; no wallet moves. Refused with: 404 no active cart. */
export const removeFromCart = (em: EntityManager, key: CartKey): Promise<void> =>
  transact(em, async (tx) => {
    await remove.run(tx, { quoteId: (await lockCart(tx, key)).quoteId });
  });

const remove = statement({
  takes: { quoteId: integer },
  text: `
    update quote set uses_store_credit = false, store_credit_seen = null, updated_at = now()
    where quote_id = $quoteId`,
});
