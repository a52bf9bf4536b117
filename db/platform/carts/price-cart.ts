import type { EntityManager } from '@mikro-orm/postgresql';
import { subtract, zero, type Amount } from '../../../domain/money/amount.ts';
import { coinOf, coinsOf } from '../../../domain/money/coins.ts';
import { none, plus } from '../../../domain/money/quantity.ts';
import {
  cartTotals,
  type CartFigures,
  type PricedLine,
  type TaxRules,
} from '../../../domain/platform/carts/cart-totals.ts';
import { ratedCart } from '../../../domain/platform/carts/rated-cart.ts';
import type { Discount } from '../../../domain/platform/sales-rules/promotion.ts';
import {
  isSet,
  shippingRates,
  type CartSettings,
  type ShippingRate,
} from '../../../domain/platform/carts/shop-choices.ts';
import type { LineTax, TaxPlace } from '../../../domain/platform/carts/tax-percent.ts';
import { givenInBase } from '../../../domain/platform/credit-memos/credit-memo-currencies.ts';
import type { CartDue, CartTender, CartTenderSource } from './cart-tender.ts';
import { findTaxPlace } from './find-tax-place.ts';
import { promotionsOf, type CartPromotion } from './promote-cart.ts';
import { readCartSettings } from './read-cart-settings.ts';
import type { Cart } from './read-cart.ts';
import { readPricedLines } from './read-priced-lines.ts';

/** A cart with its current figures. */
export interface PricedCart {
  cart: Cart;
  settings: CartSettings;
  base: CartFigures;
  /** In the cart's currency. */
  own: CartFigures;
  /** By line; undefined for a line without tax. */
  taxRates: readonly (LineTax | undefined)[];
  /** Those that held for a line, in their order. */
  promotions: readonly CartPromotion[];
  /** In the shop's spelling. Undefined: no coupon was entered, or it is no longer valid. */
  couponCode: string | undefined;
  /** Every offered way to ship the cart; empty when nothing is shipped. */
  rates: readonly ShippingRate[];
  /** The chosen way to ship, while it is offered. */
  rate: ShippingRate | undefined;
  tenders: readonly { tender: CartTender; source: CartTenderSource }[];
  /** What is left to pay after all tenders. */
  toPay: CartDue;
}

export interface Pricing {
  sources: readonly CartTenderSource[];
  now: Date;
  /** True when the order is placed: locks everything the figures depend on. */
  isBinding?: boolean;
  /** Calculates the cart as if it went to this place. */
  place?: TaxPlace | undefined;
}

/**
 * Calculates a cart's figures from current prices, taxes and rules (platform facts 9, 11). They are never stored, so
 * they are never out of date. Writes nothing unless `isBinding`.
 *
 * Refused with: 400 a cart whose total is too large for an amount, and, when binding, a tender that can no longer pay
 * its part.
 */
export async function priceCart(em: EntityManager, cart: Cart, pricing: Pricing): Promise<PricedCart> {
  const { sources, now, isBinding = false } = pricing;
  const settings = await readCartSettings(em, cart);
  const place = pricing.place ?? (await findTaxPlace(em, cart, settings));
  const { lines, taxRates } = await readPricedLines(em, cart, { settings, place, now });
  const coin = coinOf(cart.baseCurrencyCode);
  const rules = taxRulesOf(settings);
  const full = cartTotals(lines, { rules, promotions: [], shipping: zero, coin });
  const found = await promotionsOf(em, cart, { full, now, isBinding });
  const unshipped = found.length === 0 ? full : cartTotals(lines, { rules, promotions: found, shipping: zero, coin });
  const promotions = found.filter(({ ruleId }) => unshipped.lines.some((line) => line.ruleIds.includes(ruleId)));
  const offered =
    cart.isVirtual || cart.lines.length === 0 ? [] : shippingRates(settings, shippedOf(cart, unshipped, promotions));
  const rate = offered.find((one) => methodOf(one) === cart.shippingMethod);
  const { base, own } = figuresOf(cart, { lines, rules, promotions, baseShipping: rate?.baseAmount ?? zero });
  const couponCode = promotions.find((one) => one.couponCode !== null)?.couponCode ?? undefined;
  const due = { baseAmount: base.grandTotal, amount: own.grandTotal };
  const paid = await askTenders(em, cart, due, { sources, isBinding });
  return { cart, settings, base, own, taxRates, promotions, couponCode, rates: offered, rate, ...paid };
}

/** The stored form of a way to ship: `flatrate_flatrate`. */
export const methodOf = ({ carrierCode, methodCode }: { carrierCode: string; methodCode: string }) =>
  `${carrierCode}_${methodCode}`;

const taxRulesOf = (settings: CartSettings): TaxRules => ({
  pricesIncludeTax: isSet(settings['tax/calculation/price_includes_tax']),
  isTaxedAfterDiscount: isSet(settings['tax/calculation/apply_after_discount']),
  taxesFixedTaxes: isSet(settings['tax/weee/apply_vat']),
});

interface Ingredients {
  lines: readonly PricedLine[];
  rules: TaxRules;
  promotions: readonly CartPromotion[];
  baseShipping: Amount;
}

/** The same calculation in both currencies: only unit prices and fixed amounts are converted. */
function figuresOf(cart: Cart, { lines, rules, promotions, baseShipping }: Ingredients) {
  const rated = ratedCart(cart);
  const coins = coinsOf(rated);
  const inOwn = (base: Amount) => (cart.currencyCode === cart.baseCurrencyCode ? base : givenInBase(base, rated).order);
  const own = lines.map((line) => ({
    ...line,
    unitPrice: inOwn(line.unitPrice),
    fixedTaxes: line.fixedTaxes.map((one) => ({ ...one, amount: inOwn(one.amount) })),
  }));
  return {
    base: cartTotals(lines, { rules, promotions, shipping: baseShipping, coin: coins.base }),
    own: cartTotals(own, {
      rules,
      promotions: promotions.map((one) => ({ ...one, amount: amountIn(one, inOwn) })),
      shipping: inOwn(baseShipping),
      coin: coins.order,
    }),
  };
}

/** A percentage, or a count of free pieces, is the same in every currency. */
const amountIn = ({ action, amount }: Discount, inOwn: (base: Amount) => Amount): Amount =>
  action === 'by_percent' || action === 'buy_x_get_y' ? amount : inOwn(amount);

/** Goods that a promotion ships free count for nothing; where all do, or the promotion says so, shipping is free. */
function shippedOf(cart: Cart, figures: CartFigures, promotions: readonly CartPromotion[]) {
  const freeing = (kinds: string) =>
    promotions.filter((one) => kinds.includes(one.freeShipping)).map((one) => one.ruleId);
  const [some, all] = [freeing('12'), freeing('2')];
  const holds = (rules: readonly number[], at: number) => rules.some((id) => figures.lines[at]?.ruleIds.includes(id));
  const paid = cart.lines.filter((line, at) => !line.isVirtual && !holds(some, at));
  return {
    shippedQty: plus(none, ...paid.map((line) => line.qty)),
    isFree: paid.length === 0 || cart.lines.some((_, at) => holds(all, at)),
    baseSubtotal: subtract(figures.subtotal, figures.discountAmount),
    coin: coinOf(cart.baseCurrencyCode),
  };
}

/** Calls the tenders in the order of the list; each pays from what the previous ones left. */
async function askTenders(
  em: EntityManager,
  cart: Cart,
  due: CartDue,
  { sources, isBinding }: { sources: readonly CartTenderSource[]; isBinding: boolean },
): Promise<Pick<PricedCart, 'tenders' | 'toPay'>> {
  let toPay = due;
  const tenders: { tender: CartTender; source: CartTenderSource }[] = [];
  for (const source of sources) {
    const tender = isBinding ? await source.take(em, cart, toPay) : await source.preview(em, cart, toPay);
    if (!tender) continue;
    tenders.push({ tender, source });
    toPay = {
      baseAmount: subtract(toPay.baseAmount, tender.baseAmount),
      amount: subtract(toPay.amount, tender.amount),
    };
  }
  return { tenders, toPay };
}
