import {
  add,
  amount,
  isPositive,
  least,
  scale,
  scaleUnits,
  subtract,
  toCoins,
  unitsPerWhole,
  wholeInPercent,
  zero,
  type Amount,
  type Coin,
  type Quantity,
} from '../../money.ts';
import { cartWorthTooMuch } from '../../refusals/sales.ts';
import type { OptionPrice } from '../catalog/custom-options.ts';
import { chosenParts, type WithOptions } from '../catalog/entered-options.ts';
import { promote, type Promotion } from '../sales-rules/promotion.ts';
import {
  fixedTaxFigures,
  fixedTaxSums,
  type FixedTax,
  type FixedTaxFigures,
  type FixedTaxRules,
} from './shop-choices.ts';

/** The most one row may cost, in any currency: a thousand such rows still add up exactly. */
const highestRow = 9_000_000_000 * unitsPerWhole;

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

interface Row extends PricedLine {
  rowTotal: Amount;
  /** Of the row before any discount. */
  fullTax: Amount;
}

function rowOf(line: PricedLine, { pricesIncludeTax }: TaxRules, coin: Coin): Row {
  const unit = add(line.unitPrice, ...line.fixedTaxes.map(({ amount }) => amount));
  if ((unit * line.qty) / unitsPerWhole > highestRow) throw cartWorthTooMuch();
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

/** A tax rate of a place, and the rule that lets it hold for a customer. */
export interface TaxPlaceRate {
  ruleId: number;
  /** Of the rule: rates of one priority are added; the next priority comes on top. */
  priority: number;
  /** Of the rule: its rates are of the price alone. */
  calculateSubtotal: boolean;
  /** The classes of goods that the rule is for. */
  productTaxClassIds: readonly number[];
  code: string;
  /** 0: the whole country. */
  regionId: number;
  postcode: string;
  /** In 1/10 000 of a percent. */
  percent: number;
}

/** The destination of goods, as far as it is known. */
export interface TaxPlace {
  countryId: string;
  regionId: number | null;
  postcode: string | null;
}

/** What goods of one class bear at a place. */
export interface LineTax {
  /** All rates together, in 1/10 000 of a percent. */
  percent: number;
  rates: readonly TaxPlaceRate[];
}

/** The longest postcode that is looked up; no country has a longer one. */
const longestPostcode = 12;

/** The ways in which a rate may name a postcode: itself, its beginnings with `*`, and every postcode. */
export function postcodesOf(postcode: string | null): string[] {
  const input = (postcode ?? '').trim().slice(0, longestPostcode);
  const beginnings = Array.from(input, (_, at) => `${input.slice(0, at + 1)}*`);
  return [...(input === '' ? [] : [input]), ...beginnings, '*'];
}

/** The digits that a range of postcodes is compared with, `12345` of `12345-6789`; null where there are none. */
export function zipNumberOf(postcode: string | null): number | null {
  const digits = /^\s*(\d{1,9})(?:-\d*)?\s*$/.exec(postcode ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * The tax on goods of a class (platform facts 9.5): of each rule, the rate of the narrowest place. Rates of rules with
 * one priority are added; those of the next priority are of the price with the tax so far, unless the rule says of the
 * price alone.
 *
 * @param rates that hold at the place, for the customer
 * @returns undefined where no rule is for the class
 */
export function taxOf(rates: readonly TaxPlaceRate[], taxClassId: number): LineTax | undefined {
  const narrowest = new Map<number, TaxPlaceRate>();
  for (const rate of rates) {
    if (!rate.productTaxClassIds.includes(taxClassId)) continue;
    const found = narrowest.get(rate.ruleId);
    if (!found || isNarrower(rate, found)) narrowest.set(rate.ruleId, rate);
  }
  const held = [...narrowest.values()].toSorted(
    (one, other) => one.priority - other.priority || one.ruleId - other.ruleId,
  );
  return held.length === 0 ? undefined : { percent: together(held), rates: held };
}

/** A region before its country, a named postcode before `*`, the higher of two that are alike. */
function isNarrower(one: TaxPlaceRate, other: TaxPlaceRate): boolean {
  if (one.regionId !== other.regionId) return one.regionId !== 0;
  if (one.postcode !== other.postcode) return one.postcode > other.postcode;
  return one.percent > other.percent;
}

function together(rates: readonly TaxPlaceRate[]): number {
  let percent = 0;
  rates.forEach((rate, at) => {
    if (at > 0 && rates[at - 1]?.priority === rate.priority) return;
    const group = rates.filter(({ priority }) => priority === rate.priority);
    const added = group.reduce((sum, one) => sum + one.percent, 0);
    const isOfPrice = group.at(-1)?.calculateSubtotal ?? false;
    percent += isOfPrice ? added : scaleUnits(added, wholeInPercent + percent, wholeInPercent);
  });
  return percent;
}

/** The platform's group for prices that hold for every group (platform facts 8). */
const everyGroup = 32_000;
const everyWebsite = 0;

/** A price from a quantity on: a fixed price, or a discount (`percentageValue`, in 1/10 000 of a percent). */
export interface Tier {
  customerGroupId: number;
  websiteId: number;
  qty: number;
  value: number;
  percentageValue?: number | undefined;
}

/**
 * What one piece costs a customer who takes so many: the lowest of the catalog's price, the tier prices that are open
 * to the group on the website, and the lower prices of today: a special price, a catalog rule's (platform facts 9.1,
 * 9.3).
 */
export function priceOf(
  { price, tiers, lower = [] }: { price: Amount; tiers: readonly Tier[]; lower?: readonly Amount[] },
  buyer: { qty: Quantity; groupId: number; websiteId: number; coin: Coin },
): Amount {
  const open = tiers.filter(
    (tier) =>
      (tier.customerGroupId === everyGroup || tier.customerGroupId === buyer.groupId) &&
      (tier.websiteId === everyWebsite || tier.websiteId === buyer.websiteId) &&
      tier.qty <= buyer.qty,
  );
  return least(price, ...lower, ...open.map((tier) => tierPrice(price, tier, buyer.coin)));
}

const tierPrice = (price: Amount, { value, percentageValue }: Tier, coin: Coin): Amount =>
  percentageValue === undefined ? amount(value) : subtract(price, scale(price, percentageValue, wholeInPercent, coin));

/**
 * What one piece costs with its custom options (platform facts 9.1, 11). Percentages are of the price that the piece
 * has for this buyer; together they are rounded once, to a coin. Never below zero.
 *
 * Refused with: 400 a price beyond what can be counted exactly.
 */
export function priceOfPiece(goods: Parameters<typeof priceOf>[0] & WithOptions, buyer: Parameters<typeof priceOf>[1]) {
  const price = priceOf(goods, buyer);
  const parts = chosenParts(goods).map(({ part }) => part);
  if (parts.length === 0) return price;
  const percent = sumOf(parts, 'percent');
  return counted(price + sumOf(parts, 'fixed') + scaleUnits(price, percent, wholeInPercent, buyer.coin));
}

/** A plain sum: a thousand dear values may be more than an amount can be. */
const sumOf = (parts: readonly OptionPrice[], type: OptionPrice['priceType']) =>
  parts.reduce((sum, part) => (part.priceType === type ? sum + part.price : sum), 0);

function counted(price: number): Amount {
  if (Math.abs(price) > highestRow) throw cartWorthTooMuch();
  return price > zero ? amount(price) : zero;
}
