import type { EntityManager } from '@mikro-orm/postgresql';
import { subtract, zero, type Amount } from '../../../domain/money/amount.ts';
import { coinOf, coinsOf } from '../../../domain/money/coins.ts';
import { none, plus } from '../../../domain/money/quantity.ts';
import { priceOf } from '../../../domain/platform/carts/cart-price.ts';
import {
  cartTotals,
  type CartFigures,
  type PricedLine,
  type TaxRules,
} from '../../../domain/platform/carts/cart-totals.ts';
import { ratedCart } from '../../../domain/platform/carts/rated-cart.ts';
import type { Discount } from '../../../domain/platform/carts/coupon.ts';
import {
  isSet,
  shippingRates,
  type CartSettings,
  type ShippingRate,
} from '../../../domain/platform/carts/shop-choices.ts';
import { taxRateOf, type TaxPlace, type TaxPlaceRate } from '../../../domain/platform/carts/tax-percent.ts';
import { givenInBase } from '../../../domain/platform/credit-memos/credit-memo-currencies.ts';
import { findCoupon, type Coupon } from '../sales-rules/find-coupon.ts';
import { readTaxRates } from '../tax/read-tax-rates.ts';
import type { CartDue, CartTender, CartTenderSource } from './cart-tender.ts';
import { findTaxPlace } from './find-tax-place.ts';
import { readCartSettings } from './read-cart-settings.ts';
import type { Cart } from './read-cart.ts';
import { readLowerPrices } from './read-lower-prices.ts';

/** A cart with what it comes to now. */
export interface PricedCart {
  cart: Cart;
  settings: CartSettings;
  base: CartFigures;
  /** In the cart's currency. */
  own: CartFigures;
  /** Line by line; undefined where nothing is taxed. */
  taxRates: readonly (TaxPlaceRate | undefined)[];
  /** Undefined: none was entered, or it is not good any more. */
  coupon: Coupon | undefined;
  /** Every way there is to ship it; none for what is not shipped. */
  rates: readonly ShippingRate[];
  /** The one chosen, as long as there is one. */
  rate: ShippingRate | undefined;
  tenders: readonly { tender: CartTender; source: CartTenderSource }[];
  /** What is left when all tenders have paid. */
  toPay: CartDue;
}

export interface Pricing {
  sources: readonly CartTenderSource[];
  now: Date;
  /** At placement: what is counted on is locked first. */
  isBinding?: boolean;
  /** Asked for what a cart would come to there. */
  place?: TaxPlace | undefined;
}

/**
 * Works out what a cart comes to, from what holds now (platform facts 9, 11): nothing of it is stored, so nothing of it
 * is ever old. Reads only, unless it is binding.
 *
 * Refused with: 400 a cart worth more than can be counted, and, when binding, a tender that cannot pay any more.
 */
export async function priceCart(em: EntityManager, cart: Cart, pricing: Pricing): Promise<PricedCart> {
  const { sources, now, isBinding = false } = pricing;
  const settings = await readCartSettings(em, cart);
  const place = pricing.place ?? (await findTaxPlace(em, cart, settings));
  const rates = await readTaxRates(em, place);
  const taxRates = cart.lines.map((line) => taxRateOf(rates, line.taxClassId, place));
  const coupon =
    cart.couponCode === null ? undefined : await findCoupon(em, buyerOf(cart, cart.couponCode, now), { isBinding });
  const lower = await readLowerPrices(em, cart, now);
  const unshipped = figuresOf(cart, { settings, taxRates, coupon, lower, baseShipping: zero });
  const offered =
    cart.isVirtual || cart.lines.length === 0 ? [] : shippingRates(settings, shippedOf(cart, unshipped.base));
  const rate = offered.find((one) => methodOf(one) === cart.shippingMethod);
  const { base, own } = figuresOf(cart, { settings, taxRates, coupon, lower, baseShipping: rate?.baseAmount ?? zero });
  const due = { baseAmount: base.grandTotal, amount: own.grandTotal };
  const paid = await askTenders(em, cart, due, { sources, isBinding });
  return { cart, settings, base, own, taxRates, coupon, rates: offered, rate, ...paid };
}

/** `flatrate_flatrate`: how a chosen way to ship is kept. */
export const methodOf = ({ carrierCode, methodCode }: { carrierCode: string; methodCode: string }) =>
  `${carrierCode}_${methodCode}`;

export const buyerOf = (cart: Cart, code: string, now: Date) => ({
  code,
  websiteId: cart.websiteId,
  groupId: cart.customer.groupId,
  customerId: cart.customerId,
  now,
});

interface Ingredients {
  settings: CartSettings;
  taxRates: readonly (TaxPlaceRate | undefined)[];
  coupon: Coupon | undefined;
  /** By product. */
  lower: ReadonlyMap<number, readonly Amount[]>;
  baseShipping: Amount;
}

/** The same sum in both currencies: unit prices are converted, what follows from them is worked out in each. */
function figuresOf(cart: Cart, { settings, taxRates, coupon, lower, baseShipping }: Ingredients) {
  const rules: TaxRules = {
    pricesIncludeTax: isSet(settings['tax/calculation/price_includes_tax']),
    isTaxedAfterDiscount: isSet(settings['tax/calculation/apply_after_discount']),
  };
  const rated = ratedCart(cart);
  const coins = coinsOf(rated);
  const inOwn = (base: Amount) => (cart.currencyCode === cart.baseCurrencyCode ? base : givenInBase(base, rated).order);
  const lines = cart.lines.map((line, at) =>
    basePrice(cart, { ...line, lower: lower.get(line.productId) ?? [] }, taxRates[at]?.percent ?? 0),
  );
  const own = lines.map((line) => ({ ...line, unitPrice: inOwn(line.unitPrice) }));
  return {
    base: cartTotals(lines, { rules, discount: coupon?.discount, shipping: baseShipping, coin: coins.base }),
    own: cartTotals(own, {
      rules,
      discount: coupon && inCurrency(coupon.discount, inOwn),
      shipping: inOwn(baseShipping),
      coin: coins.order,
    }),
  };
}

const basePrice = (
  cart: Cart,
  line: Cart['lines'][number] & { lower: readonly Amount[] },
  taxPercent: number,
): PricedLine => ({
  unitPrice: priceOf(line, {
    qty: line.qty,
    groupId: cart.customer.groupId,
    websiteId: cart.websiteId,
    coin: coinOf(cart.baseCurrencyCode),
  }),
  qty: line.qty,
  taxPercent,
});

/** A percentage is one in every currency. */
const inCurrency = ({ action, amount }: Discount, inOwn: (base: Amount) => Amount): Discount => ({
  action,
  amount: action === 'by_percent' ? amount : inOwn(amount),
});

const shippedOf = (cart: Cart, { subtotal, discountAmount }: CartFigures) => ({
  shippedQty: plus(none, ...cart.lines.filter((line) => !line.isVirtual).map((line) => line.qty)),
  baseSubtotal: subtract(subtotal, discountAmount),
  coin: coinOf(cart.baseCurrencyCode),
});

/** In the order of the list, each paying of what the ones before left. */
async function askTenders(
  em: EntityManager,
  cart: Cart,
  due: CartDue,
  { sources, isBinding }: { sources: readonly CartTenderSource[]; isBinding: boolean },
): Promise<Pick<PricedCart, 'tenders' | 'toPay'>> {
  let toPay = due;
  const tenders: { tender: CartTender; source: CartTenderSource }[] = [];
  for (const source of sources) {
    const tender = isBinding ? await source.take(em, cart, toPay) : await source.look(em, cart, toPay);
    if (!tender) continue;
    tenders.push({ tender, source });
    toPay = {
      baseAmount: subtract(toPay.baseAmount, tender.baseAmount),
      amount: subtract(toPay.amount, tender.amount),
    };
  }
  return { tenders, toPay };
}
