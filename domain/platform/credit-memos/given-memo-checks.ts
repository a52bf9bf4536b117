import { invalid, invalidValue } from '../../errors.ts';
import { add, greatest, isPositive, negate, subtract, toPlain, toWire, zero, type Amount } from '../../money/amount.ts';
import { currencies, inBoth, type Currency, type InBoth } from '../../money/in-both.ts';
import { moneyText } from '../../money/money-text.ts';
import { leftToRefund } from '../left-to-refund.ts';
import { moneyLeft } from '../money-left.ts';
import { givenInBase, givenInOrderCurrency } from './credit-memo-currencies.ts';
import type {
  CreditMemoFigures,
  LineRegisters,
  MemoLine,
  MemoLineMoney,
  MemoTotals,
  RefundableLine,
  RefundableOrder,
} from './credit-memo-figures.ts';

/**
 * The platform's first check, in its own words (platform facts 2.4). Money reserved for refunds under way is not left.
 */
export function refuseBeyondPaid(order: RefundableOrder, totals: InBoth<MemoTotals>): void {
  const left = subtract(moneyLeft(order.base), order.basePendingRefund);
  if (totals.base.grandTotal <= left && totals.order.grandTotal <= moneyLeft(order.order)) return;
  throw invalid('The most money available to refund is %1.', [moneyText(greatest(zero, left), order.baseCurrencyCode)]);
}

/**
 * 400 where the total says one thing in the base currency and another in the order's: nothing in one of them, or two amounts
 * of an order that has one currency. The gateway would give back what the books do not say.
 */
export function refuseContradiction(order: RefundableOrder, totals: InBoth<MemoTotals>): void {
  const [base, own] = [totals.base.grandTotal, totals.order.grandTotal];
  const isOneCurrency =
    order.baseCurrencyCode === order.orderCurrencyCode && order.base.grandTotal === order.order.grandTotal;
  if (isOneCurrency && base !== own) throw invalidValue('baseGrandTotal', toWire(base));
  if (base === zero && givenInOrderCurrency(own, order).base !== zero)
    throw invalidValue('baseGrandTotal', toWire(base));
  if (own === zero && givenInBase(base, order).order !== zero) throw invalidValue('grandTotal', toWire(own));
}

/** More than any part of the order is worth: the bound of figures that no register counts down. */
export const worthOf = (order: RefundableOrder): InBoth =>
  inBoth((currency) => {
    const { grandTotal, totalPaid } = order[currency];
    const rows = order.lines.flatMap((line) => [line[currency].rowInvoiced, line[currency].rowTotalInclTax]);
    return add(greatest(totalPaid, grandTotal), ...rows);
  });

/** A figure beside what is left of it, in one currency. */
export type Bound = readonly [fieldName: string, value: Amount, left: Amount];

/** 400 for a part that is negative or more than what is left: otherwise the next memo would be wrong. */
export function refuseBeyondLeft(order: RefundableOrder, figures: CreditMemoFigures): void {
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
export function refuseOutside([fieldName, value, left]: Bound): void {
  if (value > left) throw tooMuch(fieldName, value, left);
  if (value >= zero || value >= left) return;
  throw invalid('The %fieldName value of "%value" must be greater than or equal to %minValue.', {
    fieldName,
    value: toPlain(value),
    minValue: 0,
  });
}

const tooMuch = (fieldName: string, value: Amount, left: Amount) =>
  invalid('The %fieldName value of "%value" must be less than or equal to %maxValue.', {
    fieldName,
    value: toPlain(value),
    maxValue: toPlain(left),
  });

/** The platform's message for shipping (platform facts 2.4). */
function refuseShippingBeyondLeft(order: RefundableOrder, figures: CreditMemoFigures, currency: Currency): void {
  const wanted = figures[currency].shippingAmount;
  const { shippingAmount, shippingRefunded } = order[currency];
  if (isPositive(wanted) && !isPositive(shippingAmount))
    throw invalid('You can not refund shipping if there is no shipping amount.');
  const left = leftToRefund(shippingAmount, shippingRefunded);
  const currencyCode = currency === 'base' ? order.baseCurrencyCode : order.orderCurrencyCode;
  if (wanted > left) throw invalid('Maximum shipping amount allowed to refund is: %1', [moneyText(left, currencyCode)]);
  refuseOutside(['shippingAmount', wanted, left]);
}
