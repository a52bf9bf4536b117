import { add, isPositive, scale, subtract, zero, type Amount } from '../../money/amount.ts';
import { unitsPerWhole, wholeInPercent } from '../../money/fixed-point.ts';
import { toCoins, type Coin } from '../../money/coins.ts';
import type { Quantity } from '../../money/quantity.ts';
import { invalid } from '../../errors.ts';
import {
  fixedTaxFigures,
  fixedTaxSums,
  type FixedTax,
  type FixedTaxFigures,
  type FixedTaxRules,
} from './fixed-taxes.ts';
import { promote, type Promotion } from '../sales-rules/promotion.ts';

/** The most one row may cost, in any currency: a thousand such rows still add up exactly. */
export const highestRow = 9_000_000_000 * unitsPerWhole;

/** A line of the sum, in one currency. */
export interface PricedLine {
  /** With or without tax, as the catalog keeps it. */
  unitPrice: Amount;
  qty: Quantity;
  /** In 1/10 000 of a percent. */
  taxPercent: number;
  fixedTaxes: readonly FixedTax[];
}

export interface LineFigures {
  /** Without tax. */
  price: Amount;
  priceInclTax: Amount;
  rowTotal: Amount;
  /** Before any discount. */
  rowTotalInclTax: Amount;
  discountAmount: Amount;
  /** Without that on its fixed taxes. */
  taxAmount: Amount;
  fixedTaxes: readonly FixedTaxFigures[];
  /** The promotions that held for it. */
  ruleIds: readonly number[];
}

/** The sums of a cart in one currency; the discount is positive, and includes that on shipping. */
export interface CartFigures {
  lines: readonly LineFigures[];
  subtotal: Amount;
  subtotalInclTax: Amount;
  discountAmount: Amount;
  shippingAmount: Amount;
  shippingDiscountAmount: Amount;
  /** Fixed taxes, without the tax on them. */
  fixedTaxAmount: Amount;
  /** Of goods and of fixed taxes. */
  taxAmount: Amount;
  grandTotal: Amount;
}

/** How a shop computes tax (platform facts 9.5). */
export interface TaxRules extends FixedTaxRules {
  /** Tax on the price after discount; else on the whole price. */
  isTaxedAfterDiscount: boolean;
}

/** The rules for adding up a cart, in one currency. */
export interface CartTerms {
  rules: TaxRules;
  /** Those that hold for the cart, in their order. */
  promotions: readonly Promotion[];
  shipping: Amount;
  /** Of the currency: every charged figure is a multiple of it. */
  coin: Coin;
}

/**
 * Adds a cart up (platform facts 9.2, 9.5, 11): goods, discount, shipping, fixed taxes, tax, in one currency.
 *
 * Our choices: tax is computed and rounded once for each row, whatever the algorithm setting. Discounts reduce prices
 * without tax. Shipping carries no tax, as in the platform's defaults.
 *
 * Refused with: 400 a row beyond what can be counted exactly.
 */
export function cartTotals(lines: readonly PricedLine[], { rules, promotions, coin, ...more }: CartTerms): CartFigures {
  const shipping = toCoins(more.shipping, coin);
  const rows = lines.map((line) => rowOf(line, rules, coin));
  const { discounts, ruleIds, shippingDiscount } = promote(rows, promotions, { shipping, coin });
  const figures = rows.map((row, at) => ({
    ...lineFigures(row, discounts[at] ?? zero, { ...rules, coin }),
    fixedTaxes: fixedTaxFigures(row, rules, coin),
    ruleIds: ruleIds[at] ?? [],
  }));
  const sum = (key: Exclude<keyof LineFigures, 'ruleIds' | 'fixedTaxes'>) => add(...figures.map((line) => line[key]));
  const subtotal = sum('rowTotal');
  const discountAmount = add(sum('discountAmount'), shippingDiscount);
  const fixed = fixedTaxSums(figures.flatMap((line) => line.fixedTaxes));
  const taxAmount = add(sum('taxAmount'), fixed.rowTax);
  return {
    lines: figures,
    subtotal,
    subtotalInclTax: sum('rowTotalInclTax'),
    discountAmount,
    shippingAmount: shipping,
    shippingDiscountAmount: shippingDiscount,
    fixedTaxAmount: fixed.rowAmount,
    taxAmount,
    grandTotal: subtract(add(subtotal, shipping, fixed.rowAmount, taxAmount), discountAmount),
  };
}

/** 400: a price or a row beyond what can be counted exactly. */
export const worthTooMuch = () => invalid('The cart is worth more than can be counted.');

interface Row extends PricedLine {
  rowTotal: Amount;
  /** Of the row before any discount. */
  fullTax: Amount;
}

function rowOf(line: PricedLine, { pricesIncludeTax }: TaxRules, coin: Coin): Row {
  const unit = add(line.unitPrice, ...line.fixedTaxes.map(({ amount }) => amount));
  if ((unit * line.qty) / unitsPerWhole > highestRow) throw worthTooMuch();
  const gross = scale(line.unitPrice, line.qty, unitsPerWhole, coin);
  if (!pricesIncludeTax)
    return { ...line, rowTotal: gross, fullTax: scale(gross, line.taxPercent, wholeInPercent, coin) };
  const fullTax = scale(gross, line.taxPercent, wholeInPercent + line.taxPercent, coin);
  return { ...line, rowTotal: subtract(gross, fullTax), fullTax };
}

type CountedRules = TaxRules & Pick<CartTerms, 'coin'>;

function lineFigures(
  row: Row,
  discountAmount: Amount,
  rules: CountedRules,
): Omit<LineFigures, 'ruleIds' | 'fixedTaxes'> {
  const { unitPrice, taxPercent, rowTotal, fullTax } = row;
  return {
    ...(rules.pricesIncludeTax
      ? { priceInclTax: unitPrice, price: scale(unitPrice, wholeInPercent, wholeInPercent + taxPercent, priceStep) }
      : { price: unitPrice, priceInclTax: scale(unitPrice, wholeInPercent + taxPercent, wholeInPercent, rules.coin) }),
    rowTotal,
    rowTotalInclTax: add(rowTotal, fullTax),
    discountAmount,
    taxAmount: rules.isTaxedAfterDiscount ? taxAfter(discountAmount, row, rules) : fullTax,
  };
}

/** A price without its included tax is kept to four decimals. */
const priceStep = 1;

/** Where the price includes tax, a discount reduces the tax too. After rounding, a row of one coin may be all tax. */
function taxAfter(
  discount: Amount,
  { rowTotal, fullTax, taxPercent }: Row,
  { pricesIncludeTax, coin }: CountedRules,
): Amount {
  if (discount === zero) return fullTax;
  const left = subtract(rowTotal, discount);
  if (!isPositive(left)) return zero;
  return pricesIncludeTax ? scale(fullTax, left, rowTotal, coin) : scale(left, taxPercent, wholeInPercent, coin);
}
