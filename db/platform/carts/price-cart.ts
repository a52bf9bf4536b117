import type { EntityManager } from '@mikro-orm/postgresql';
import { coinOf, coinsOf, none, plus, subtract, zero, type Amount } from '../../../domain/money.ts';
import {
  cartTotals,
  priceOfPiece,
  taxOf,
  type CartFigures,
  type LineTax,
  type PricedLine,
  type TaxPlace,
  type TaxRules,
} from '../../../domain/platform/carts/cart-totals.ts';
import {
  cartSettingDefaults,
  isSet,
  ratedCart,
  shippingRates,
  type CartSettingPath,
  type CartSettings,
  type FixedTax,
  type ShippingRate,
} from '../../../domain/platform/carts/shop-choices.ts';
import { postedInBase } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import type { Discount } from '../../../domain/platform/sales-rules/promotion.ts';

import { sql } from '../../support/sql.ts';
import { numberIn } from '../catalog/attribute-sql.ts';
import { labelInView } from '../catalog/read-attributes-of-set.ts';
import { readTaxRates } from '../tax/read-tax-rates.ts';
import { findCartId, noActiveCart, readCart, type Cart, type CartKey } from './carts.ts';
import {
  promotionsOf,
  type CartDue,
  type CartPromotion,
  type CartTender,
  type CartTenderSource,
} from './promote-cart.ts';

const readUsual = sql('price-cart.readUsual')`
  select a.country_id, a.region_id, a.postcode from customer c
    join customer_address a on a.customer_id = c.id and a.id in (c.default_shipping, c.default_billing)
  where c.id = $customerId order by a.id = c.default_shipping desc limit 1`;

/**
 * The place where a cart is taxed (platform facts 9.5). It is the shipping address, or the billing address when nothing
 * is shipped. Without that, it is the customer's default address, and without that, the shop's.
 */
async function findTaxPlace(em: EntityManager, cart: Cart, settings: CartSettings): Promise<TaxPlace> {
  const address = cart.isVirtual ? cart.billing : (cart.shipping ?? cart.billing);
  if (address?.countryId)
    return { countryId: address.countryId, regionId: address.regionId, postcode: address.postcode };
  const usual = cart.customerId === null ? undefined : await readUsual.first(em, { customerId: cart.customerId });
  if (usual) return usual;
  const region = settings['general/store_information/region_id'];
  return {
    countryId: settings['general/store_information/country_id'],
    regionId: /^\d{1,9}$/.test(region) ? Number(region) : null,
    postcode: settings['general/store_information/postcode'],
  };
}

const paths = Object.keys(cartSettingDefaults);

const selectCart = sql('price-cart.selectCart')`
  select distinct on (path) path, value from config_value
  where path = any($paths::text[]) and not is_encrypted and (scope = 'default'
    or (scope = 'websites' and scope_id = $websiteId) or (scope = 'stores' and scope_id = $storeId))
  order by path, case scope when 'stores' then 0 when 'websites' then 1 else 2 end`;

/** The settings of a cart's store view: its own values, else the website's, else the defaults. */
async function readCartSettings(
  em: EntityManager,
  { websiteId, storeId }: { websiteId: number; storeId: number },
): Promise<CartSettings> {
  const rows = await selectCart.all(em, { paths, websiteId, storeId });
  const settings: Record<CartSettingPath, string> = { ...cartSettingDefaults };
  for (const { path, value } of rows) if (isSettingPath(path)) settings[path] = value ?? '';
  return settings;
}

const isSettingPath = (path: string): path is CartSettingPath => Object.hasOwn(cartSettingDefaults, path);

/**
 * The fixed taxes of a cart's lines at the place where it is taxed, in base currency (platform facts 9.2); none where
 * the shop does not charge them. Of one tax, the region's amount is before the country's, and the website's before that
 * of every website. Chosen goods have their own, and those that only the configurable product has.
 */
async function readCartFixedTaxes(
  em: EntityManager,
  cart: Cart,
  { settings, place }: { settings: CartSettings; place: TaxPlace },
): Promise<FixedTax[][]> {
  if (!isSet(settings['tax/weee/enable']) || cart.lines.length === 0) return cart.lines.map(() => []);
  const productIds = cart.lines.flatMap(({ productId, variantOf }) => [productId, variantOf?.productId ?? productId]);
  const { countryId, regionId } = place;
  const { websiteId, storeId } = cart;
  const rows = await selectCartFixedTaxes.all(em, {
    productIds,
    websiteId,
    storeId,
    countryId,
    regionId: regionId ?? 0,
  });
  const ofProduct = (id: number | undefined) => rows.filter(({ productId }) => productId === id);
  return cart.lines.map(({ productId, variantOf }) => {
    const own = ofProduct(productId);
    const more = ofProduct(variantOf?.productId).filter(
      ({ attributeCode }) => !own.some((one) => one.attributeCode === attributeCode),
    );
    return [...own, ...more].filter(({ value }) => value > zero).map(({ title, value }) => ({ title, amount: value }));
  });
}

const selectCartFixedTaxes = sql('price-cart.selectCartFixedTaxes')`
  select distinct on (t.product_id, t.attribute_code) t.product_id, t.attribute_code, t.value,
    coalesce(${labelInView('a', '$storeId')}, t.attribute_code) as title
  from fixed_product_tax t
  left join product_attribute a on a.attribute_code = t.attribute_code
  where t.product_id = any($productIds::bigint[]) and t.website_id in (0, $websiteId) and t.country_id = $countryId
    and t.region_id in (0, $regionId)
  order by t.product_id, t.attribute_code, t.region_id desc, t.website_id desc`;

/** An attribute's value on the website: its own, else the global one. */
const onWebsite = (code: string) =>
  `coalesce(p.scoped_values #>> array['w' || w.website_id, 'customAttributes', '${code}'], p.custom_attributes ->>
    '${code}')`;

const today = `($now::timestamptz at time zone w.time_zone)::date`;

/** Whether today is within a limit. Where none is said there is no limit; a day that cannot be read never comes. */
const isWithin = (code: string, compared: '<=' | '>=') => `coalesce(
  substring(${onWebsite(code)} from '^\\d{4}-\\d{2}-\\d{2}') ${compared} ${today}::text, coalesce(${onWebsite(code)},
    '') = '')`;

const selectLowerPrices = sql('price-cart.selectLowerPrices')`
  select p.entity_id as product_id,
    case when ${isWithin('special_from_date', '<=')} and ${isWithin('special_to_date', '>=')}
      then round(${numberIn(onWebsite('special_price'))}, 4) end as special,
    (select c.rule_price from catalog_rule_price c
     where c.product_id = p.entity_id and c.website_id = w.website_id and c.rule_date = ${today}
       and c.customer_group_id = $groupId) as by_rule
  from product p join website w on w.website_id = $websiteId
  where p.entity_id = any($productIds::bigint[])`;

/**
 * The lower prices that hold today for the products of a cart (platform facts 9.1, 9.3): the website's special price,
 * and the catalog rules for the buyer's group. Days are those of the website's time zone.
 *
 * @returns by product; base currency
 */
async function readLowerPrices(em: EntityManager, cart: Cart, now: Date): Promise<Map<number, Amount[]>> {
  if (cart.lines.length === 0) return new Map();
  const productIds = cart.lines.map((line) => line.productId);
  const { websiteId, customer } = cart;
  const rows = await selectLowerPrices.all(em, { productIds, websiteId, groupId: customer.groupId, now });
  return new Map(
    rows.map(({ productId, special, byRule }) => [productId, [special, byRule].flatMap((price) => price ?? [])]),
  );
}

export interface CartPrices {
  /** In base currency. */
  lines: readonly PricedLine[];
  /** By line; undefined for a line without tax. */
  taxRates: readonly (LineTax | undefined)[];
}

/** What one piece of each line costs now, and how it is taxed at a place (platform facts 9). */
async function readPricedLines(
  em: EntityManager,
  cart: Cart,
  { settings, place, now }: { settings: CartSettings; place: TaxPlace; now: Date },
): Promise<CartPrices> {
  const rates = await readTaxRates(em, place, cart.customer.taxClassId);
  const taxRates = cart.lines.map((line) => taxOf(rates, line.taxClassId));
  const lower = await readLowerPrices(em, cart, now);
  const fixedTaxes = await readCartFixedTaxes(em, cart, { settings, place });
  const buyer = { groupId: cart.customer.groupId, websiteId: cart.websiteId, coin: coinOf(cart.baseCurrencyCode) };
  const lines = cart.lines.map((line, at) => ({
    unitPrice: priceOfPiece({ ...line, lower: lower.get(line.productId) ?? [] }, { ...buyer, qty: line.qty }),
    qty: line.qty,
    taxPercent: taxRates[at]?.percent ?? 0,
    fixedTaxes: fixedTaxes[at] ?? [],
  }));
  return { lines, taxRates };
}

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

interface Pricing {
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
  const inOwn = (base: Amount) =>
    cart.currencyCode === cart.baseCurrencyCode ? base : postedInBase(base, rated).order;
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

/** An active cart with what was chosen for it. Refused with: 404 no active cart. */
export async function findCart(em: EntityManager, key: CartKey): Promise<Cart> {
  const quoteId = await findCartId(em, key);
  if (quoteId === undefined) throw noActiveCart(key);
  return readCart(em, quoteId);
}

/** The same with its current figures. It locks and writes nothing. Refused as above and as `priceCart`. */
export const findPricedCart = async (em: EntityManager, key: CartKey, pricing: Pricing): Promise<PricedCart> =>
  priceCart(em, await findCart(em, key), pricing);
