import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { paymentMethods } from '../../../domain/platform/carts/shop-choices.ts';
import { transact } from '../../support/transact.ts';
import type { CartTenderSource } from './cart-tender.ts';
import type { CartKey } from './lock-cart.ts';
import { priceCart } from './price-cart.ts';
import { readLockedCart } from './read-cart.ts';
import { choosePayment, type PaymentWish } from './set-payment.ts';

/**
 * Selects a payment method for a cart, if the shop offers it for this cart now (platform facts 11). Safe to repeat.
 *
 * Refused with: 404 no active cart · 400 no shipping address for what is shipped, a method that is not offered.
 *
 * @returns the cart's id
 */
export const selectPayment = (
  em: EntityManager,
  key: CartKey,
  { sources, now, ...payment }: PaymentWish & { sources: readonly CartTenderSource[]; now: Date },
): Promise<number> =>
  transact(em, async (tx) => {
    const cart = await readLockedCart(tx, key);
    if (cart.lines.length > 0 && !cart.isVirtual && !cart.shipping)
      throw invalid('The shipping address is missing. Set the address and try again.');
    const { settings, toPay } = await priceCart(tx, cart, { sources, now });
    if (!paymentMethods(settings, toPay.baseAmount).some(({ code }) => code === payment.method))
      throw invalid('The requested Payment Method is not available.');
    await choosePayment(tx, cart, { payment, billingAddress: undefined });
    return cart.quoteId;
  });
