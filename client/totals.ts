import {
  add,
  parseAmount,
  toWire,
  zero,
  coinOf,
  parseUnits,
  currencies,
  inBoth,
  parseQuantity,
  pieces,
  type Amount,
  type Currency,
  type InBoth,
  type Quantity,
} from '../domain/money.ts';
import { cartTotals, type CartFigures, type TaxRules } from '../domain/platform/carts/cart-totals.ts';
import { postedInBase, type RatedCurrencies } from '../domain/platform/credit-memos/credit-memo-figures.ts';
import type { Promotion } from '../domain/platform/sales-rules/promotion.ts';

/** Goods on the counter. Amounts are those of the catalog: of one piece, in the base currency. */
export interface SaleLine {
  sku: string;
  name: string;
  productId?: number;
  /** Absent: `simple`. */
  productType?: string;
  qty: number;
  price: number;
  /** 8 for 8 %. */
  taxPercent?: number;
  /** Taken off the whole row, before tax. */
  discount?: number;
  /** Such as a recycling fee, for one piece. */
  fixedTaxes?: readonly { title: string; amount: number }[];
  /** What the platform keeps with the line, such as the values of custom options. */
  productOption?: Record<string, unknown>;
}

/** How a shop counts: from the settings of its store view. */
export interface ShopMoney {
  /** What the customer pays in. */
  currency: string;
  /** Absent: the same. */
  baseCurrency?: string;
  /** One unit of the base currency in the customer's, as decimal text. Absent: 1. */
  rate?: string;
  pricesIncludeTax?: boolean;
  /** Absent: tax is on the price after discount. */
  taxesWholePrice?: boolean;
  taxesFixedTaxes?: boolean;
}

export type SaleTotals = InBoth<CartFigures>;

/**
 * Adds a sale up in both currencies, by the functions that the service itself uses for its carts: tax once for each
 * row, every charged figure a whole number of coins.
 *
 * Throws a RangeError for what is no amount: a till that cannot add up must not sell.
 */
export function totalsOf(lines: readonly SaleLine[], shop: ShopMoney): SaleTotals {
  const rated = ratedOf(shop);
  const rules: TaxRules = {
    pricesIncludeTax: shop.pricesIncludeTax ?? false,
    isTaxedAfterDiscount: !shop.taxesWholePrice,
    taxesFixedTaxes: shop.taxesFixedTaxes ?? false,
  };
  const isOne = rated.baseCurrencyCode === rated.orderCurrencyCode;
  const within = (currency: Currency, given: number): Amount =>
    currency === 'base' || isOne ? amountOf(given) : postedInBase(amountOf(given), rated).order;
  return inBoth((currency) =>
    cartTotals(
      lines.map((line) => ({
        unitPrice: within(currency, line.price),
        qty: quantityOf(line.qty),
        taxPercent: unitsOf(line.taxPercent ?? 0, 'a percentage'),
        fixedTaxes: (line.fixedTaxes ?? []).map(({ title, amount }) => ({ title, amount: within(currency, amount) })),
      })),
      {
        rules,
        promotions: lines.flatMap(({ discount = 0 }, at) =>
          discount === 0 ? [] : [offOneRow(at, lines.length, within(currency, discount))],
        ),
        shipping: zero,
        coin: coinOf(currency === 'base' ? rated.baseCurrencyCode : rated.orderCurrencyCode),
      },
    ),
  );
}

export const ratedOf = ({ currency, baseCurrency = currency, rate = '1' }: ShopMoney): RatedCurrencies => ({
  baseCurrencyCode: baseCurrency,
  orderCurrencyCode: currency,
  baseToOrderRate: currency === baseCurrency ? '1' : rate,
});

/** A key in each currency, as the interface spells them: `grand_total`, `base_grand_total`. */
export function written<Key extends string>(figures: Record<Key, InBoth>): Record<Key | `base_${Key}`, number> {
  const wire: Record<string, number> = {};
  for (const [key, amounts] of Object.entries<InBoth>(figures))
    for (const currency of currencies) wire[currency === 'base' ? `base_${key}` : key] = toWire(amounts[currency]);
  return wire as Record<Key | `base_${Key}`, number>;
}

export const sumOf = (...amounts: readonly number[]): number => toWire(add(...amounts.map(amountOf)));

/** A discount of a cashier is a promotion that holds for one row. */
const offOneRow = (at: number, rows: number, amount: Amount): Promotion => ({
  ruleId: at,
  action: 'cart_fixed',
  amount,
  mostQty: pieces(0),
  step: pieces(0),
  appliesToShipping: false,
  stops: false,
  lines: Array.from({ length: rows }, (_, row) => row === at),
});

export function amountOf(given: number): Amount {
  const amount = parseAmount(String(given));
  if (amount === undefined) throw new RangeError(`${given} is no amount with at most four decimals`);
  return amount;
}

function quantityOf(given: number): Quantity {
  const qty = parseQuantity(String(given));
  if (qty === undefined || qty <= 0) throw new RangeError(`${given} is no quantity`);
  return qty;
}

function unitsOf(given: number, name: string): number {
  const units = parseUnits(String(given));
  if (units === undefined) throw new RangeError(`${given} is not ${name}`);
  return units;
}
