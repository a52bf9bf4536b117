import { fieldRequired } from '../../errors.ts';
import { add, greatest, negate, subtract, zero, type Amount } from '../../money/amount.ts';
import { coinsOf, toCoins } from '../../money/coins.ts';
import { currencies, type Currency, type InBoth } from '../../money/in-both.ts';
import { none, type Quantity } from '../../money/quantity.ts';
import { afterPendingMemos } from './credit-memo-after.ts';
import { refuseInvalidMemo } from './credit-memo-checks.ts';
import { inCoins } from './credit-memo-coins.ts';
import { givenInBase, givenInOrderCurrency, type RatedCurrencies } from './credit-memo-currencies.ts';
import type {
  CreditMemoFigures,
  MemoLine,
  MemoLineMoney,
  MemoTotals,
  RefundableOrder,
  RequestedItem,
} from './credit-memo-figures.ts';
import { collectCreditMemo } from './credit-memo.ts';
import {
  refuseBeyondLeft,
  refuseBeyondPaid,
  refuseContradiction,
  refuseOutside,
  worthOf,
} from './given-memo-checks.ts';

/** An amount in the currencies in which it was sent: base, order, or both. */
export type Named = Partial<InBoth>;

export interface GivenMemoLine {
  orderItemId: number;
  qty: Quantity;
  money: Partial<Record<keyof MemoLineMoney, Named>>;
}

/** A credit memo with its caller's own figures. */
export interface GivenMemo {
  /** Empty: money without goods. */
  lines: readonly GivenMemoLine[];
  totals: Partial<Record<keyof MemoTotals, Named>>;
}

/**
 * The figures of a memo with its caller's own figures; the platform's calculation does not run (platform facts 7.1,
 * `POST /V1/creditmemo/refund`).
 *
 * Our choices. An amount sent in one currency is converted at the order's rate. A line without amounts gets those of
 * the order's own refund, so that the line's totals stay right; any other absent amount is zero. Amounts are in coins.
 * Money, shipping, tax and lines can be refunded only up to what is left.
 *
 * Refused with: 400 no grand total · 400 two totals that contradict each other · 400 more money than is left · 400 an amount
 * below zero, or above what is left of it or the whole order · 400 a quantity beyond what is left, and whatever else
 * `refuseInvalidMemo` says.
 */
export function figuresGiven(stored: RefundableOrder, given: GivenMemo): CreditMemoFigures {
  const order = inCoins(afterPendingMemos(stored));
  const totals = totalsGiven(order, given.totals);
  refuseBeyondPaid(order, totals);
  refuseContradiction(order, totals);
  const items = given.lines.map(({ orderItemId, qty }) => ({ orderItemId, qty }));
  const { lines, baseCost } = collected(stored, items);
  const figures = { lines: lines.map((line) => named(order, line, given.lines)), ...totals, baseCost };
  refuseBeyondLeft(order, figures);
  refuseInvalidMemo(order, { items, adjustmentPositive: nothing, adjustmentNegative: nothing }, figures);
  return figures;
}

const nothing: InBoth = { base: zero, order: zero };

/** What the platform's calculation gives for the same goods without shipping. It also checks the quantities. */
const collected = (order: RefundableOrder, items: readonly RequestedItem[]) =>
  collectCreditMemo(order, {
    // An empty list would mean everything that is left.
    items: items.length > 0 ? items : order.lines.map(({ orderItemId }) => ({ orderItemId, qty: none })),
    shipping: nothing,
    adjustmentPositive: nothing,
    adjustmentNegative: nothing,
  });

const lineFigures = [
  'rowTotal',
  'rowTotalInclTax',
  'taxAmount',
  'discountAmount',
  'discountTaxCompensationAmount',
  'weeeTaxAppliedRowAmount',
] as const satisfies readonly (keyof MemoLineMoney)[];

/** Two rows of one line are one line of the memo. A line of no goods is not written, so its money counts for nothing. */
function named(order: RefundableOrder, worked: MemoLine, given: readonly GivenMemoLine[]): MemoLine {
  if (worked.qty === none) return worked;
  const rows = given.filter(({ orderItemId, money }) => orderItemId === worked.orderItemId && isAnyNamed(money));
  if (rows.length === 0) return worked;
  const sums = { base: { ...worked.base }, order: { ...worked.order } };
  const worth = worthOf(order);
  for (const figure of lineFigures) {
    const amounts = rows.map(({ money }) => namedInBoth(order, money[figure]));
    for (const currency of currencies)
      for (const one of amounts) refuseOutside([figure, one[currency], worth[currency]]);
    sums.base[figure] = add(zero, ...amounts.map((one) => one.base));
    sums.order[figure] = add(zero, ...amounts.map((one) => one.order));
  }
  return { ...worked, ...sums };
}

const isAnyNamed = (money: GivenMemoLine['money']) => Object.values(money).some(isNamed);
const isNamed = (amount: Named | undefined) => amount?.base !== undefined || amount?.order !== undefined;

/** In coins of each currency. A missing currency is converted at the order's rate; an absent amount is zero. */
export function namedInBoth(rated: RatedCurrencies, { base, order: own }: Named = {}): InBoth {
  const coins = coinsOf(rated);
  if (base !== undefined && own !== undefined)
    return { base: toCoins(base, coins.base), order: toCoins(own, coins.order) };
  if (own !== undefined) return givenInOrderCurrency(own, rated);
  return base === undefined ? nothing : givenInBase(base, rated);
}

function totalsGiven(order: RefundableOrder, given: GivenMemo['totals']): InBoth<MemoTotals> {
  if (!isNamed(given.grandTotal)) throw fieldRequired('grandTotal');
  const both = (name: keyof MemoTotals) => namedInBoth(order, given[name]);
  const adjustment = both('adjustment');
  const way = (name: 'adjustmentPositive' | 'adjustmentNegative', currency: Currency): Amount => {
    if (isNamed(given.adjustmentPositive) || isNamed(given.adjustmentNegative)) return both(name)[currency];
    const signed = name === 'adjustmentPositive' ? adjustment[currency] : negate(adjustment[currency]);
    return greatest(zero, signed);
  };
  const worth = worthOf(order);
  const of = (currency: Currency): MemoTotals => {
    const [adjustmentPositive, adjustmentNegative] = [
      way('adjustmentPositive', currency),
      way('adjustmentNegative', currency),
    ];
    refuseOutside(['adjustmentPositive', adjustmentPositive, worth[currency]]);
    refuseOutside(['adjustmentNegative', adjustmentNegative, worth[currency]]);
    return {
      subtotal: both('subtotal')[currency],
      subtotalInclTax: both('subtotalInclTax')[currency],
      discountAmount: both('discountAmount')[currency],
      shippingAmount: both('shippingAmount')[currency],
      shippingInclTax: both('shippingInclTax')[currency],
      shippingTaxAmount: both('shippingTaxAmount')[currency],
      taxAmount: both('taxAmount')[currency],
      discountTaxCompensationAmount: both('discountTaxCompensationAmount')[currency],
      adjustmentPositive,
      adjustmentNegative,
      adjustment: subtract(adjustmentPositive, adjustmentNegative),
      difference: zero,
      grandTotal: both('grandTotal')[currency],
    };
  };
  return { base: of('base'), order: of('order') };
}
