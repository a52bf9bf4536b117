import { fieldRequired, invalidValue } from '../../errors.ts';
import { moneyText } from '../../currency-texts.ts';
import {
  add,
  coinsOf,
  currencies,
  greatest,
  inBoth,
  isPositive,
  negate,
  none,
  subtract,
  toCoins,
  toPlain,
  toWire,
  zero,
  type Amount,
  type Currency,
  type InBoth,
  type Quantity,
} from '../../money.ts';
import { moneyToRefundTooHigh, noShippingToRefund, shippingRefundTooHigh } from '../../refusals/documents.ts';
import { valueAboveMaximum, valueBelowMinimum } from '../../refusals/platform.ts';
import { refuseFinerThanCoin } from '../../whole-coins.ts';
import { leftToRefund, moneyLeft } from '../placement.ts';
import { afterPendingMemos, inCoins, refuseInvalidMemo } from './credit-memo-coins.ts';
import {
  postedInBase,
  postedInOrderCurrency,
  type CreditMemoFigures,
  type LineRegisters,
  type MemoLine,
  type MemoLineMoney,
  type MemoTotals,
  type RatedCurrencies,
  type RefundableLine,
  type RefundableOrder,
  type RequestedItem,
} from './credit-memo-figures.ts';
import { collectCreditMemo } from './credit-memo.ts';

/**
 * The platform's first check, in its own words (platform facts 2.4). Money reserved for refunds under way is not left.
 */
function refuseBeyondPaid(order: RefundableOrder, totals: InBoth<MemoTotals>): void {
  const left = subtract(moneyLeft(order.base), order.basePendingRefund);
  if (totals.base.grandTotal <= left && totals.order.grandTotal <= moneyLeft(order.order)) return;
  throw moneyToRefundTooHigh([moneyText(greatest(zero, left), order.baseCurrencyCode)]);
}

/**
 * 400 where the total says one thing in the base currency and another in the order's: nothing in one of them, or two
 * amounts of an order that has one currency. The gateway would give back what the books do not say.
 */
function refuseContradiction(order: RefundableOrder, totals: InBoth<MemoTotals>): void {
  const [base, own] = [totals.base.grandTotal, totals.order.grandTotal];
  const isOneCurrency =
    order.baseCurrencyCode === order.orderCurrencyCode && order.base.grandTotal === order.order.grandTotal;
  if (isOneCurrency && base !== own) throw invalidValue('baseGrandTotal', toWire(base));
  if (base === zero && postedInOrderCurrency(own, order).base !== zero)
    throw invalidValue('baseGrandTotal', toWire(base));
  if (own === zero && postedInBase(base, order).order !== zero) throw invalidValue('grandTotal', toWire(own));
}

/** More than any part of the order is worth: the bound of figures that no register counts down. */
const worthOf = (order: RefundableOrder): InBoth =>
  inBoth((currency) => {
    const { grandTotal, totalPaid } = order[currency];
    const rows = order.lines.flatMap((line) => [line[currency].rowInvoiced, line[currency].rowTotalInclTax]);
    return add(greatest(totalPaid, grandTotal), ...rows);
  });

/** A figure beside what is left of it, in one currency. */
export type Bound = readonly [fieldName: string, value: Amount, left: Amount];

/** 400 for a part that is negative or more than what is left: otherwise the next memo would be wrong. */
function refuseBeyondLeft(order: RefundableOrder, figures: CreditMemoFigures): void {
  for (const currency of currencies) {
    refuseShippingBeyondLeft(order, figures, currency);
    const lines = figures.lines.flatMap((line) => {
      const registers = order.lines.find(({ orderItemId }) => orderItemId === line.orderItemId);
      return registers === undefined ? [] : boundsOfLine(line, registers, currency);
    });
    for (const bound of [...lines, ...boundsOfTotals(order, figures, currency)]) refuseOutside(bound);
    if (isPositive(figures[currency].discountAmount))
      throw tooMuch('discountAmount', figures[currency].discountAmount, zero);
    refuseOutside(['discountAmount', negate(figures[currency].discountAmount), worthOf(order)[currency]]);
  }
}

function boundsOfTotals(order: RefundableOrder, figures: CreditMemoFigures, currency: Currency): Bound[] {
  const [memo, is] = [figures[currency], order[currency]];
  const taxLeft = leftToRefund(is.taxInvoiced, is.taxRefunded);
  const worth = worthOf(order)[currency];
  return [
    ['taxAmount', memo.taxAmount, taxLeft],
    ['shippingTaxAmount', memo.shippingTaxAmount, leftToRefund(is.shippingTaxAmount, is.shippingTaxRefunded)],
    [
      'discountTaxCompensationAmount',
      memo.discountTaxCompensationAmount,
      leftToRefund(is.discountTaxCompensationInvoiced, is.discountTaxCompensationRefunded),
    ],
    ...(['subtotal', 'subtotalInclTax', 'shippingInclTax'] as const).map((name): Bound => [name, memo[name], worth]),
  ];
}

function boundsOfLine(line: MemoLine, registers: RefundableLine, currency: Currency): Bound[] {
  const [memo, is]: [MemoLineMoney, LineRegisters] = [line[currency], registers[currency]];
  return [
    ['rowTotal', memo.rowTotal, leftToRefund(is.rowInvoiced, is.amountRefunded)],
    ['taxAmount', memo.taxAmount, leftToRefund(is.taxInvoiced, is.taxRefunded)],
    ['discountAmount', memo.discountAmount, leftToRefund(is.discountInvoiced, is.discountRefunded)],
    [
      'discountTaxCompensationAmount',
      memo.discountTaxCompensationAmount,
      leftToRefund(is.discountTaxCompensationInvoiced, is.discountTaxCompensationRefunded),
    ],
    ['weeeTaxAppliedRowAmount', memo.weeeTaxAppliedRowAmount, leftToRefund(is.weeeInvoiced, is.weeeRefunded)],
  ];
}

/** 400 for a figure below zero, or above its bound. */
function refuseOutside([fieldName, value, left]: Bound): void {
  if (value > left) throw tooMuch(fieldName, value, left);
  if (value >= zero || value >= left) return;
  throw valueBelowMinimum({
    fieldName,
    value: toPlain(value),
    minValue: 0,
  });
}

const tooMuch = (fieldName: string, value: Amount, left: Amount) =>
  valueAboveMaximum({
    fieldName,
    value: toPlain(value),
    maxValue: toPlain(left),
  });

/** The platform's message for shipping (platform facts 2.4). */
function refuseShippingBeyondLeft(order: RefundableOrder, figures: CreditMemoFigures, currency: Currency): void {
  const shipping = figures[currency].shippingAmount;
  const { shippingAmount, shippingRefunded } = order[currency];
  if (isPositive(shipping) && !isPositive(shippingAmount)) throw noShippingToRefund();
  const left = leftToRefund(shippingAmount, shippingRefunded);
  const currencyCode = currency === 'base' ? order.baseCurrencyCode : order.orderCurrencyCode;
  if (shipping > left) throw shippingRefundTooHigh([moneyText(left, currencyCode)]);
  refuseOutside(['shippingAmount', shipping, left]);
}

/** An amount in the currencies in which it was sent: base, order, or both. */
export type Named = Partial<InBoth>;

export interface PostedMemoLine {
  orderItemId: number;
  qty: Quantity;
  money: Partial<Record<keyof MemoLineMoney, Named>>;
}

/** A credit memo with its caller's own figures. */
export interface PostedMemo {
  /** Empty: money without goods. */
  lines: readonly PostedMemoLine[];
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
 * Refused with: 400 no grand total · 400 a total, goodwill, fee or shipping finer than a coin · 400 two totals that contradict each other · 400 more money than is left · 400 an
 * amount below zero, or above what is left of it or the whole order · 400 a quantity beyond what is left, and whatever
 * else `refuseInvalidMemo` says.
 */
export function postedFigures(stored: RefundableOrder, input: PostedMemo): CreditMemoFigures {
  const order = inCoins(afterPendingMemos(stored));
  refuseFinerTotals(order, input.totals);
  const totals = totalsPosted(order, input.totals);
  refuseBeyondPaid(order, totals);
  refuseContradiction(order, totals);
  const items = input.lines.map(({ orderItemId, qty }) => ({ orderItemId, qty }));
  const { lines, baseCost } = collected(stored, items);
  const figures = { lines: lines.map((line) => named(order, line, input.lines)), ...totals, baseCost };
  refuseBeyondLeft(order, figures);
  refuseInvalidMemo(order, { items, adjustmentPositive: nothing, adjustmentNegative: nothing }, figures);
  return figures;
}

/** The amounts that decide what goes back. Taxes and rows are worked out by registers, and are rounded. */
const movedTotals = ['grandTotal', 'adjustment', 'adjustmentPositive', 'adjustmentNegative', 'shippingAmount'] as const;

function refuseFinerTotals(order: RefundableOrder, totals: PostedMemo['totals']): void {
  for (const name of movedTotals) {
    refuseFinerThanCoin(totals[name]?.base, order.baseCurrencyCode);
    refuseFinerThanCoin(totals[name]?.order, order.orderCurrencyCode);
  }
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

/**
 * Two rows of one line are one line of the memo. A line of no goods is not written, so its money counts for nothing.
 */
function named(order: RefundableOrder, worked: MemoLine, input: readonly PostedMemoLine[]): MemoLine {
  if (worked.qty === none) return worked;
  const rows = input.filter(({ orderItemId, money }) => orderItemId === worked.orderItemId && isAnyNamed(money));
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

const isAnyNamed = (money: PostedMemoLine['money']) => Object.values(money).some(isNamed);
const isNamed = (amount: Named | undefined) => amount?.base !== undefined || amount?.order !== undefined;

/** In coins of each currency. A missing currency is converted at the order's rate; an absent amount is zero. */
export function namedInBoth(rated: RatedCurrencies, { base, order: own }: Named = {}): InBoth {
  const coins = coinsOf(rated);
  if (base !== undefined && own !== undefined)
    return { base: toCoins(base, coins.base), order: toCoins(own, coins.order) };
  if (own !== undefined) return postedInOrderCurrency(own, rated);
  return base === undefined ? nothing : postedInBase(base, rated);
}

function totalsPosted(order: RefundableOrder, input: PostedMemo['totals']): InBoth<MemoTotals> {
  if (!isNamed(input.grandTotal)) throw fieldRequired('grandTotal');
  const both = (name: keyof MemoTotals) => namedInBoth(order, input[name]);
  const adjustment = both('adjustment');
  const way = (name: 'adjustmentPositive' | 'adjustmentNegative', currency: Currency): Amount => {
    if (isNamed(input.adjustmentPositive) || isNamed(input.adjustmentNegative)) return both(name)[currency];
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
