import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { none, plus } from '../../../domain/money.ts';
import {
  optionsMissing,
  paymentMethods,
  requireEnough,
  requireOffered,
  requireSellable,
} from '../../../domain/platform/carts/shop-choices.ts';
import { requireEntered } from '../../../domain/platform/catalog/entered-options.ts';
import { sql } from '../../support/sql.ts';
import { transact } from '../../support/transact.ts';
import { addAddress } from '../customers/addresses.ts';
import { placeOrder, refuseContradiction } from '../place-order.ts';
import type { OrderHook } from '../orders/saved-order.ts';
import { lockCart, readCart, readLockedCart, type Cart, type CartKey, type CartLine } from './carts.ts';
import { emailOf, orderOfCart } from './order-of-cart.ts';
import { priceCart, type PricedCart } from './price-cart.ts';
import type { CartTenderSource } from './promote-cart.ts';
import { readOffers, type CartAddress } from './read-offers.ts';
import { saveCartAddress, type CartAddressDraft } from './save-cart-address.ts';
import {
  cartHasNoProducts,
  couponNotValid,
  emailFormatWrong,
  paymentMethodNotAvailable,
  shippingAddressMissing,
  billingAddressMissing,
  shippingMethodMissing,
  paymentMethodMissing,
  purchaseOrderNumberMissing,
} from '../../../domain/refusals/sales.ts';

/**
 * Adds the addresses of a placed cart to its customer's address book, when the customer asked for it and they are not
 * from the book. Two equal addresses are added once. A guest has no address book.
 */
async function keepAddresses(em: EntityManager, { customerId, billing, shipping }: Cart): Promise<void> {
  if (customerId === null) return;
  const requested = [billing, shipping].flatMap((one) =>
    one?.saveInAddressBook && one.customerAddressId === null ? [inBook(one)] : [],
  );
  const [first, second] = requested;
  if (first) await addAddress(em, customerId, first);
  if (second && !isDeepStrictEqual(first, second)) await addAddress(em, customerId, second);
}

const inBook = ({
  addressId: _id,
  customerAddressId: _own,
  sameAsBilling: _same,
  saveInAddressBook: _kept,
  email: _email,
  ...address
}: CartAddress) => address;

/** Refused with: 404 a cart without products. */
function requireProducts(cart: Cart): void {
  if (cart.lines.length === 0) throw cartHasNoProducts([cart.quoteId]);
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
    if (couponCode === undefined) throw couponNotValid();
    await set.run(tx, { quoteId: cart.quoteId, couponCode });
  });

const set = sql('place-cart.set')`
  update quote set coupon_code = $couponCode?, updated_at = now() where quote_id = $quoteId`;

interface PaymentInput {
  method: string;
  poNumber: string | undefined;
}

export interface PaymentInformation {
  /** The guest's email; a customer's is that of the account. */
  email?: string | undefined;
  payment: PaymentInput | undefined;
  billingAddress: CartAddressDraft | undefined;
}

/**
 * Sets how the customer's cart will be paid, and its billing address if one is sent (platform facts 11). Whether the
 * method is offered is checked only when the order is placed. Safe to repeat.
 *
 * Refused with: 404 no active cart, a cart without products · 400 an address the country's rules refuse.
 */
export const setPayment = (em: EntityManager, key: CartKey, information: PaymentInformation): Promise<void> =>
  transact(em, async (tx) => {
    const cart = await readLockedCart(tx, key);
    requireProducts(cart);
    await choosePayment(tx, cart, information);
  });

/** The same for a locked cart. Absent fields stay as they are. */
async function choosePayment(
  em: EntityManager,
  cart: { quoteId: number; customerId: number | null },
  { email, payment, billingAddress }: PaymentInformation,
): Promise<void> {
  // A customer's email is that of the account.
  if (email !== undefined && cart.customerId === null) await setEmail.run(em, { quoteId: cart.quoteId, email });
  if (billingAddress) await saveCartAddress(em, cart, 'billing', billingAddress);
  if (!payment) return;
  await updatePayment.run(em, { quoteId: cart.quoteId, method: payment.method, poNumber: payment.poNumber ?? null });
}

const updatePayment = sql('place-cart.updatePayment')`
  update quote set payment_method = $method, po_number = $poNumber?, updated_at = now() where quote_id = $quoteId`;

const setEmail = sql('place-cart.setEmail')`
  update quote set customer_email = $email, updated_at = now() where quote_id = $quoteId`;

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

const placed = sql('place-cart.placed')`
  update quote set is_active = false, order_id = $orderId, updated_at = now() where quote_id = $quoteId`;

function requireComplete(cart: Cart): void {
  requireProducts(cart);
  if (!cart.isVirtual && !cart.shipping) throw shippingAddressMissing();
  if (!cart.billing) throw billingAddressMissing();
  if (emailOf(cart) === null) throw emailFormatWrong();
}

function requireChoices({ cart, settings, couponCode, rate, base, toPay }: PricedCart): void {
  if (cart.couponCode !== null && couponCode === undefined) throw couponNotValid();
  if (!cart.isVirtual && !rate) throw shippingMethodMissing();
  if (!cart.paymentMethod) throw paymentMethodMissing();
  // A method chosen before credit paid for everything counts like `free`.
  const offered = [toPay.baseAmount, base.grandTotal].flatMap((left) => paymentMethods(settings, left));
  if (!offered.some(({ code }) => code === cart.paymentMethod)) throw paymentMethodNotAvailable();
  if (cart.paymentMethod === 'purchaseorder' && !cart.poNumber) throw purchaseOrderNumberMissing();
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
  { sources, now, ...payment }: PaymentInput & { sources: readonly CartTenderSource[]; now: Date },
): Promise<number> =>
  transact(em, async (tx) => {
    const cart = await readLockedCart(tx, key);
    if (cart.lines.length > 0 && !cart.isVirtual && !cart.shipping) throw shippingAddressMissing();
    const { settings, toPay } = await priceCart(tx, cart, { sources, now });
    if (!paymentMethods(settings, toPay.baseAmount).some(({ code }) => code === payment.method))
      throw paymentMethodNotAvailable();
    await choosePayment(tx, cart, { payment, billingAddress: undefined });
    return cart.quoteId;
  });
