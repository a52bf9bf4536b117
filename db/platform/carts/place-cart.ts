import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { none, plus } from '../../../domain/money/quantity.ts';
import {
  optionsMissing,
  requireEnough,
  requireOffered,
  requireSellable,
} from '../../../domain/platform/carts/cart-quantity.ts';
import { requireEntered } from '../../../domain/platform/catalog/entered-options.ts';
import { paymentMethods } from '../../../domain/platform/carts/shop-choices.ts';
import { integer } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { placeOrder, refuseContradiction, type OrderHook } from '../order-saves/create-order.ts';
import type { CartTenderSource } from './cart-tender.ts';
import { keepAddresses } from './keep-addresses.ts';
import { lockCart, type CartKey } from './lock-cart.ts';
import { emailOf, orderOfCart } from './order-of-cart.ts';
import { priceCart, type PricedCart } from './price-cart.ts';
import { readCart, type Cart, type CartLine } from './read-cart.ts';
import { readOffers } from './read-offers.ts';
import { isNoCoupon, requireProducts } from './set-coupon.ts';
import { choosePayment, type PaymentInformation } from './set-payment.ts';

export interface CartPlacement extends PaymentInformation {
  key: CartKey;
  hooks: readonly OrderHook[];
  sources: readonly CartTenderSource[];
  now: Date;
}

/**
 * Makes the customer's cart an order, in one transaction under the cart's lock (platform facts 11). It prices the cart
 * again, spends credit, reserves goods, counts promotions as used and closes the cart.
 *
 * Safe to repeat and to send many times at once: the first call wins, and the others find no active cart. A refusal
 * changes nothing, not even the payment method.
 *
 * Refused with: 404 no active cart, a cart without products, a coupon that is no longer valid · 400 an address, a way
 * to ship or a payment method that is missing or not offered, goods that cannot be bought or are out of stock, a tender
 * that can no longer pay its part.
 *
 * @returns the order's id
 */
export const placeCart = (em: EntityManager, { key, hooks, sources, now, ...payment }: CartPlacement) =>
  transact(em, async (tx) => {
    const locked = await lockCart(tx, key);
    const { quoteId } = locked;
    await choosePayment(tx, locked, payment);
    const cart = await readCart(tx, quoteId);
    requireComplete(cart);
    const priced = await priceCart(tx, cart, { sources, now, isBinding: true });
    requireChoices(priced);
    await requireGoods(tx, cart);
    const { orderId } = await placeOrder(tx, carriedBy(priced), { hooks, now });
    await placed.run(tx, { quoteId, orderId });
    await keepAddresses(tx, cart);
    return orderId;
  }).catch(refuseContradiction);

const placed = statement({
  takes: { quoteId: integer, orderId: integer },
  text: 'update quote set is_active = false, order_id = $orderId, updated_at = now() where quote_id = $quoteId',
});

function requireComplete(cart: Cart): void {
  requireProducts(cart);
  if (!cart.isVirtual && !cart.shipping)
    throw invalid('The shipping address is missing. Set the address and try again.');
  if (!cart.billing) throw invalid('The billing address is missing. Set the address and try again.');
  if (emailOf(cart) === null) throw invalid('Email has a wrong format');
}

function requireChoices({ cart, settings, couponCode, rate, base, toPay }: PricedCart): void {
  if (cart.couponCode !== null && couponCode === undefined) throw isNoCoupon();
  if (!cart.isVirtual && !rate)
    throw invalid('The shipping method is missing. Select the shipping method and try again.');
  if (!cart.paymentMethod) throw invalid('Enter a valid payment method and try again.');
  // A method chosen before credit paid for everything counts like `free`.
  const offered = [toPay.baseAmount, base.grandTotal].flatMap((left) => paymentMethods(settings, left));
  if (!offered.some(({ code }) => code === cart.paymentMethod))
    throw invalid('The requested Payment Method is not available.');
  if (cart.paymentMethod === 'purchaseorder' && !cart.poNumber)
    throw invalid('Purchase order number is a required field.');
}

/** Source items are locked last: of two buyers of the last piece, the second finds it gone. */
async function requireGoods(em: EntityManager, cart: Cart): Promise<void> {
  const skus = [...new Set(cart.lines.map((line) => line.sku))];
  const offers = await readOffers(em, { skus, websiteId: cart.websiteId }, { isBinding: true });
  for (const line of cart.lines) requireLine(line);
  for (const offer of offers) {
    const ofProduct = cart.lines.filter((line) => line.sku === offer.sku);
    requireEnough(offer, plus(none, ...ofProduct.map((line) => line.qty)));
  }
}

/** What was chosen of a configurable product may have been taken off it since, and so may options. */
function requireLine(line: CartLine): void {
  requireSellable(line);
  requireEntered(line.options, line.entered);
  if (!line.variantOf) return;
  requireOffered(line.variantOf);
  if (line.variantOf.typeId !== 'configurable' || !line.variantOf.isVariant) throw optionsMissing();
}

/** Adds what the tenders paid to the order. */
const carriedBy = (priced: PricedCart) =>
  priced.tenders.reduce((posted, { tender, source }) => source.carry(posted, tender), orderOfCart(priced));
