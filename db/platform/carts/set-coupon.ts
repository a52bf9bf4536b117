import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';
import { integer, orNull, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import type { CartKey } from './lock-cart.ts';
import { priceCart } from './price-cart.ts';
import { readLockedCart, type Cart } from './read-cart.ts';

export const isNoCoupon = () => notFound("The coupon code isn't valid. Verify the code and try again.");

/** Refused with: 404 a cart without products. */
export function requireProducts(cart: Cart): void {
  if (cart.lines.length === 0) throw notFound('The "%1" Cart doesn\'t contain products.', [cart.quoteId]);
}

/**
 * Enters a coupon into the customer's cart, replacing the previous one, or removes it. It counts as used when the order
 * is placed (platform facts 9.4). Safe to repeat.
 *
 * Refused with: 404 no active cart, a cart without products, a code that is not valid for this buyer now, or
 * discounts none of the goods.
 *
 * @param code null removes the coupon
 */
export const setCoupon = (
  em: EntityManager,
  key: CartKey,
  { code, now }: { code: string | null; now: Date },
): Promise<void> =>
  transact(em, async (tx) => {
    const cart = await readLockedCart(tx, key);
    requireProducts(cart);
    if (code === null) return void (await set.run(tx, { quoteId: cart.quoteId, couponCode: null }));
    const { couponCode } = await priceCart(tx, { ...cart, couponCode: code }, { sources: [], now });
    if (couponCode === undefined) throw isNoCoupon();
    await set.run(tx, { quoteId: cart.quoteId, couponCode });
  });

const set = statement({
  takes: { quoteId: integer, couponCode: orNull(text) },
  text: 'update quote set coupon_code = $couponCode, updated_at = now() where quote_id = $quoteId',
});
