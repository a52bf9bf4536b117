import { invalid, invalidValue } from '../../errors.ts';
import {
  add,
  least,
  money,
  none,
  parseAmount,
  plus,
  quantityToWire,
  scale,
  subtract,
  toWire,
  unitsPerWhole,
  wholeInPercent,
  zero,
  type Amount,
  type Coin,
  type Quantity,
} from '../../money.ts';
import { itemOptionsRequired, productNotAvailable, requestedQtyNotAvailable } from '../../refusals/sales.ts';
import type { RatedCurrencies } from '../credit-memos/credit-memo-figures.ts';
import { brokenRule, type QuantityRules } from '../stock-rules.ts';

/** The settings of a cart and their defaults; paths and defaults are the platform's. */
export const cartSettingDefaults = {
  'tax/calculation/price_includes_tax': '0',
  'tax/calculation/apply_after_discount': '1',
  'tax/weee/enable': '0',
  'tax/weee/apply_vat': '0',
  'tax/weee/include_in_subtotal': '0',
  'carriers/flatrate/active': '1',
  'carriers/flatrate/title': 'Flat Rate',
  'carriers/flatrate/name': 'Fixed',
  'carriers/flatrate/price': '5.00',
  /** `I`: for each piece, `O`: for the order. */
  'carriers/flatrate/type': 'I',
  'carriers/freeshipping/active': '0',
  'carriers/freeshipping/title': 'Free Shipping',
  'carriers/freeshipping/name': 'Free',
  'carriers/freeshipping/free_shipping_subtotal': '',
  'carriers/instore/active': '0',
  'carriers/instore/title': 'In-Store Pickup Delivery',
  'carriers/instore/name': 'In-Store Pickup Delivery',
  'carriers/instore/price': '0',
  'payment/checkmo/active': '1',
  'payment/checkmo/title': 'Check / Money order',
  'payment/banktransfer/active': '0',
  'payment/banktransfer/title': 'Bank Transfer Payment',
  'payment/cashondelivery/active': '0',
  'payment/cashondelivery/title': 'Cash On Delivery',
  'payment/purchaseorder/active': '0',
  'payment/purchaseorder/title': 'Purchase Order',
  'payment/free/active': '1',
  'payment/free/title': 'No Payment Information Required',
  'general/store_information/country_id': '',
  'general/store_information/region_id': '',
  'general/store_information/postcode': '',
} as const;

export type CartSettingPath = keyof typeof cartSettingDefaults;
export type CartSettings = Readonly<Record<CartSettingPath, string>>;

/** A shipping method; the amount is base currency, without tax. */
export interface ShippingRate {
  carrierCode: string;
  methodCode: string;
  carrierTitle: string;
  methodTitle: string;
  baseAmount: Amount;
}

export const isSet = (text: string) => !['', '0', 'false'].includes(text.trim());

/** What is shipped, and whether a promotion pays for it. */
export interface Shipped {
  shippedQty: Quantity;
  isFree: boolean;
  baseSubtotal: Amount;
  coin: Coin;
}

/**
 * The shipping methods for a cart: a flat rate, free shipping from a subtotal on, pick-up in a store (our choice of
 * the platform's carriers). The destination makes no difference.
 */
export function shippingRates(
  settings: CartSettings,
  { shippedQty, isFree, baseSubtotal, coin }: Shipped,
): ShippingRate[] {
  const charged = (price: Amount) => (isFree ? zero : price);
  const price = amountOf(settings['carriers/flatrate/price']);
  const flat = settings['carriers/flatrate/type'] === 'I' ? scale(price, shippedQty, unitsPerWhole, coin) : price;
  const freeFrom = amountOf(settings['carriers/freeshipping/free_shipping_subtotal']);
  return [
    ...offered(settings, 'flatrate', 'flatrate', charged(flat)),
    ...(isFree || baseSubtotal >= freeFrom ? offered(settings, 'freeshipping', 'freeshipping', zero) : []),
    ...offered(settings, 'instore', 'pickup', charged(amountOf(settings['carriers/instore/price']))),
  ];
}

type Carrier = 'flatrate' | 'freeshipping' | 'instore';

const offered = (settings: CartSettings, carrierCode: Carrier, methodCode: string, baseAmount: Amount) =>
  isSet(settings[`carriers/${carrierCode}/active`])
    ? [
        {
          carrierCode,
          methodCode,
          carrierTitle: settings[`carriers/${carrierCode}/title`],
          methodTitle: settings[`carriers/${carrierCode}/name`],
          baseAmount,
        },
      ]
    : [];

/** A setting that is not an amount counts as zero. */
const amountOf = (text: string): Amount => {
  const read = parseAmount(text.trim());
  return read === undefined || read < 0 ? zero : read;
};

export interface PaymentMethod {
  code: string;
  title: string;
}

const offlineMethods = ['checkmo', 'banktransfer', 'cashondelivery', 'purchaseorder'] as const;

/**
 * The payment methods for a cart: offline ones, as no gateway can be charged here (platform facts 11). A cart that
 * costs nothing has `free` alone.
 */
export function paymentMethods(settings: CartSettings, baseAmountToPay: Amount): PaymentMethod[] {
  const codes = baseAmountToPay === zero ? (['free'] as const) : offlineMethods;
  return codes
    .filter((code) => isSet(settings[`payment/${code}/active`]))
    .map((code) => ({ code, title: settings[`payment/${code}/title`] }));
}

/** A fixed tax on one piece of a product, such as a recycling fee, in one currency (platform facts 9.2). */
export interface FixedTax {
  title: string;
  amount: Amount;
}

/** What a fixed tax comes to for one piece and for a row, without tax on it and with it. */
export interface FixedTaxFigures {
  title: string;
  amount: Amount;
  amountInclTax: Amount;
  rowAmount: Amount;
  rowAmountInclTax: Amount;
}

/** How a shop taxes its fixed taxes. */
export interface FixedTaxRules {
  /** The catalog's amounts include the tax on them, as its prices do. */
  pricesIncludeTax: boolean;
  /** The goods' tax is charged on them too. */
  taxesFixedTaxes: boolean;
}

interface TaxedRow {
  fixedTaxes: readonly FixedTax[];
  qty: Quantity;
  /** In 1/10 000 of a percent. */
  taxPercent: number;
}

/**
 * The fixed taxes of a row. Each is rounded once for the row, and the tax on it once. A discount does not reduce them.
 */
export const fixedTaxFigures = (row: TaxedRow, rules: FixedTaxRules, coin: Coin): FixedTaxFigures[] =>
  row.fixedTaxes.map(({ title, amount }) => {
    const rowAmount = scale(amount, row.qty, unitsPerWhole, coin);
    const percent = rules.taxesFixedTaxes ? row.taxPercent : 0;
    if (rules.pricesIncludeTax) {
      const without = scale(amount, wholeInPercent, wholeInPercent + percent, priceStep);
      const tax = scale(rowAmount, percent, wholeInPercent + percent, coin);
      const rowWithout = subtract(rowAmount, tax);
      return { title, amount: without, amountInclTax: amount, rowAmount: rowWithout, rowAmountInclTax: rowAmount };
    }
    const amountInclTax = percent === 0 ? amount : scale(amount, wholeInPercent + percent, wholeInPercent, coin);
    const tax = scale(rowAmount, percent, wholeInPercent, coin);
    return { title, amount, amountInclTax, rowAmount, rowAmountInclTax: add(rowAmount, tax) };
  });

/** An amount without its included tax is kept to four decimals. */
const priceStep = 1;

/** The fixed taxes together: of one piece, of the row, and the tax on the row. */
export const fixedTaxSums = (taxes: readonly FixedTaxFigures[]) => {
  const rowAmount = add(zero, ...taxes.map((one) => one.rowAmount));
  return {
    amount: add(zero, ...taxes.map((one) => one.amount)),
    rowAmount,
    rowTax: subtract(add(zero, ...taxes.map((one) => one.rowAmountInclTax)), rowAmount),
  };
};

/** The fixed taxes of a row as the platform keeps them: a JSON text, in both currencies (platform facts 9.2). */
export const appliedTaxes = (base: readonly FixedTaxFigures[], own: readonly FixedTaxFigures[]): string =>
  JSON.stringify(
    own.map((inOwn, at) => ({
      title: inOwn.title,
      ...wired('', inOwn),
      ...wired('base_', base[at] ?? inOwn),
    })),
  );

const wired = (prefix: '' | 'base_', figures: FixedTaxFigures) => ({
  [`${prefix}amount`]: toWire(figures.amount),
  [`${prefix}row_amount`]: toWire(figures.rowAmount),
  [`${prefix}amount_incl_tax`]: toWire(figures.amountInclTax),
  [`${prefix}row_amount_incl_tax`]: toWire(figures.rowAmountInclTax),
});

interface Promotion {
  ruleId: number;
  action: string;
  /** For `by_percent`, the percentage. */
  amount: Amount;
}

const all = money('100');

/** Of the promotions that held for a line, the percentages together, at most all (platform facts 11, 14). */
export function percentOff(promotions: readonly Promotion[], ruleIds: readonly number[]): Amount {
  const held = promotions.filter(({ ruleId, action }) => action === 'by_percent' && ruleIds.includes(ruleId));
  return least(all, add(...held.map(({ amount }) => amount)));
}

/** The fields of a product that decide whether a cart may hold it. */
export interface Offered {
  typeId: string;
  isEnabled: boolean;
  isOnWebsite: boolean;
}

/** The product's standing in the shop's stock; `isLimited` where no more may be promised than is salable. */
export interface Stocked extends QuantityRules {
  isLimited: boolean;
  salable: Quantity;
}

/** Refused with: 400 a quantity of zero or less. */
export function requireSome(qty: Quantity): Quantity {
  if (qty > none) return qty;
  throw invalidValue('qty', quantityToWire(qty));
}

/**
 * The quantity of a product in a cart after adding some to what it holds.
 *
 * Refused with 400, in the platform's words: a disabled product or one of another website · one whose options must be
 * chosen first · a part of a product sold whole · fewer or more than one may buy, or not in its steps · more than the
 * shop has.
 */
export function quantityInCart(product: Offered & Stocked, held: Quantity, added: Quantity): Quantity {
  requireSellable(product);
  const requested = plus(held, added);
  requireEnough(product, requested);
  return requested;
}

/** Refused with: 400 a product that cannot be bought here, or not without choosing its options. */
export function requireSellable(product: Offered): void {
  requireOffered(product);
  if (product.typeId !== 'simple' && product.typeId !== 'virtual') throw optionsMissing();
}

/** Refused with: 400 a disabled product, or one of another website. */
export function requireOffered({ isEnabled, isOnWebsite }: Omit<Offered, 'typeId'>): void {
  if (!isEnabled || !isOnWebsite) throw productNotAvailable();
}

/** 400: it is not known yet which product is meant. */
export const optionsMissing = () => itemOptionsRequired();

/** Refused with: 400 a quantity that the product's rules forbid · more than is salable. */
export function requireEnough(product: Stocked, requested: Quantity): void {
  const broken = brokenRule(product, requested);
  if (broken) throw invalid(broken.message, broken.parameters);
  if (product.isLimited && requested > product.salable) throw requestedQtyNotAvailable();
}

interface CartCurrencies {
  baseCurrencyCode: string;
  currencyCode: string;
  /** One unit of the base currency, in the cart's currency, as decimal text. */
  currencyRate: string;
}

/**
 * The currencies of a cart, as its order will have them. A cart in the base currency has the rate 1, whatever the
 * store's rate is.
 */
export const ratedCart = ({ baseCurrencyCode, currencyCode, currencyRate }: CartCurrencies): RatedCurrencies => ({
  baseCurrencyCode,
  orderCurrencyCode: currencyCode,
  baseToOrderRate: currencyCode === baseCurrencyCode ? '1' : currencyRate,
});

/** How long a guest's cart that is never paid stays (the platform's setting). */
export const guestCartPath = 'checkout/cart/delete_quote_after';

export const guestCartDefaults = {
  /** Days since a guest last touched the cart. */
  [guestCartPath]: '30',
} as const;

/** A day at least, so that a guest does not lose a cart while looking at it; ten years at most. */
const [guestCartDaysLeast, most] = [1, 3_650];

/** The setting in days, brought within its bounds; text that is not a number gives the default. */
export const guestCartDaysOf = (setting: string | undefined): number => {
  const days = /^\s*\d{1,9}\s*$/.test(setting ?? '') ? setting : guestCartDefaults[guestCartPath];
  return Math.min(Math.max(Number(days), guestCartDaysLeast), most);
};
