import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, notFound } from '../../../domain/errors.ts';
import { integer, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import type { CartKey } from './lock-cart.ts';
import { methodOf, priceCart } from './price-cart.ts';
import { readLockedCart } from './read-cart.ts';
import { saveCartAddress, type CartAddressDraft } from './save-cart-address.ts';

export interface ShippingWish {
  address: CartAddressDraft;
  billingAddress: CartAddressDraft | undefined;
  carrierCode: string;
  methodCode: string;
}

/**
 * Sets the shipping address of the customer's cart, and how it is shipped (platform facts 11). Safe to repeat.
 *
 * Refused with: 404 no active cart, a way to ship that is not offered, an entry of another customer's address book ·
 * 400 an empty cart, one with only virtual products, an address the country's rules refuse.
 */
export const setShipping = (
  em: EntityManager,
  key: CartKey,
  { address, billingAddress, carrierCode, methodCode, now }: ShippingWish & { now: Date },
): Promise<void> =>
  transact(em, async (tx) => {
    const cart = await readLockedCart(tx, key);
    if (cart.isVirtual) throw invalid('The Cart includes virtual product(s) only, so a shipping address is not used.');
    if (cart.lines.length === 0)
      throw invalid("The shipping method can't be set for an empty cart. Add an item to cart and try again.");
    if (!address.countryId) throw invalid('The shipping address is missing. Set the address and try again.');
    const wanted = methodOf({ carrierCode, methodCode });
    const { rates } = await priceCart(tx, cart, { sources: [], now });
    if (!rates.some((rate) => methodOf(rate) === wanted))
      throw notFound('Carrier with such method not found: %1, %2', [carrierCode, methodCode]);
    await saveCartAddress(tx, cart, 'shipping', address);
    if (billingAddress) await saveCartAddress(tx, cart, 'billing', billingAddress);
    await set.run(tx, { quoteId: cart.quoteId, wanted });
  });

const set = statement({
  takes: { quoteId: integer, wanted: text },
  text: 'update quote set shipping_method = $wanted, updated_at = now() where quote_id = $quoteId',
});
