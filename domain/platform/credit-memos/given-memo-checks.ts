import { invalid } from '../../errors.ts';
import { greatest, isPositive, subtract, toPlain, zero, type Amount } from '../../money/amount.ts';
import { currencies, type Currency, type InBoth } from '../../money/in-both.ts';
import { moneyText } from '../../money/money-text.ts';
import { leftToRefund } from '../left-to-refund.ts';
import { moneyLeft } from '../money-left.ts';
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

/** An amount and what is left of it, in one currency. */
type Bound = readonly [fieldName: string, value: Amount, left: Amount];

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
  }
}

function boundsOfTotals(order: RefundableOrder, figures: CreditMemoFigures, currency: Currency): Bound[] {
  const [memo, is] = [figures[currency], order[currency]];
  const taxLeft = leftToRefund(is.taxInvoiced, is.taxRefunded);
  return [
    ['taxAmount', memo.taxAmount, taxLeft],
    ['shippingTaxAmount', memo.shippingTaxAmount, leftToRefund(is.shippingTaxAmount, is.shippingTaxRefunded)],
    [
      'discountTaxCompensationAmount',
      memo.discountTaxCompensationAmount,
      leftToRefund(is.discountTaxCompensationInvoiced, is.discountTaxCompensationRefunded),
    ],
    ...(['subtotal', 'adjustmentPositive', 'adjustmentNegative'] as const).map((name): Bound => [
      name,
      memo[name],
      greatest(zero, memo[name]),
    ]),
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

function refuseOutside([fieldName, value, left]: Bound): void {
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
