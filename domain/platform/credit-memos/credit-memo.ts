import {
  add,
  coinsOf,
  greatest,
  least,
  scale,
  subtract,
  unitsPerWhole,
  zero,
  type Amount,
  type Coins,
  type Currency,
  type InBoth,
} from '../../money.ts';
import { leftToRefund, moneyLeft } from '../placement.ts';
import { afterPendingMemos, inCoins, refuseInvalidMemo, refuseNegativeAmounts } from './credit-memo-coins.ts';
import {
  type CreditMemoFigures,
  type CreditMemoRequest,
  type MemoLineMoney,
  type MemoTotals,
  type RefundableOrder,
} from './credit-memo-figures.ts';
import { noCarries } from './credit-memo-rounding.ts';
import {
  chooseLines,
  collectRows,
  type ChosenLine,
  collectDiscounts,
  collectWeee,
  collectTaxes,
  collectShipping,
  type MemoShipping,
} from './memo-collectors.ts';
import { evenOutPosted } from './posted-difference.ts';

type Totals = InBoth<MemoTotals>;

/**
 * Makes the other currency follow the one the adjustments were given in. What takes all that is left in one currency
 * takes all in the other. What leaves something in the one never takes too much in the other.
 *
 * Every amount is converted to the cent on its own, so the other currency can end some cents beside: the last refund of
 * an order would be refused, or leave cents that can never be refunded. Our choice; the platform rounds on.
 *
 * Refunds under way are booked already in the order given here (`afterPendingMemos`), so it works beside them; a
 * promise without a memo, of which only the base is known, leaves the figures as they are.
 */
function evenOutAdjustments(order: RefundableOrder, totals: Totals, postedIn: Currency): Totals {
  if (!isAdjusted(totals) || order.basePendingRefund !== zero) return totals;
  const other = postedIn === 'base' ? 'order' : 'base';
  const over = beyondWhatIsLeft(order, totals, postedIn);
  const otherOver = beyondWhatIsLeft(order, totals, other);
  const follows = over === zero || (over < zero && otherOver > zero);
  return follows ? { ...totals, [other]: lowered(totals[other], otherOver) } : totals;
}

const isAdjusted = ({ base, order }: Totals) =>
  [base, order].some((totals) => totals.adjustmentPositive !== zero || totals.adjustmentNegative !== zero);

/** Below zero when the memo leaves something. */
const beyondWhatIsLeft = (order: RefundableOrder, totals: Totals, currency: Currency): Amount =>
  subtract(totals[currency].grandTotal, moneyLeft(order[currency]));

/**
 * Takes it out of the adjustment that has room for it; a negative one puts it in, as goodwill where no fee can bear it.
 */
function lowered(totals: MemoTotals, by: Amount): MemoTotals {
  const isBeyondFee = add(totals.adjustmentNegative, by) < zero;
  const fromPositive = totals.adjustmentPositive >= by && (totals.adjustmentPositive > zero || isBeyondFee);
  const adjustmentPositive = fromPositive ? subtract(totals.adjustmentPositive, by) : totals.adjustmentPositive;
  const adjustmentNegative = fromPositive ? totals.adjustmentNegative : add(totals.adjustmentNegative, by);
  return {
    ...totals,
    adjustmentPositive,
    adjustmentNegative,
    adjustment: subtract(adjustmentPositive, adjustmentNegative),
    grandTotal: subtract(totals.grandTotal, by),
  };
}

/**
 * Works out a credit memo: quantities, then the platform's collectors in their order, then its checks (platform facts
 * 7.2 to 7.4). Pure: a preview and a booking of the same order and request are the same figures.
 *
 * Whatever parts an order is refunded in, the parts add up to what was paid, to the coin, in both currencies. What
 * refunds under way were planned to give back is left for none of them.
 *
 * Refused with: 400 a quantity beyond what is left · 400 an amount below zero · 400 more shipping than is left ·
 * 400 with the lines of everything else that is wrong.
 */
export function computeCreditMemo(stored: RefundableOrder, request: CreditMemoRequest): CreditMemoFigures {
  const order = inCoins(afterPendingMemos(stored));
  const collected = collectMemo(order, request);
  const figures = request.evensOutPosted === true ? evenOutPosted(order, collected) : collected;
  const totals = { base: figures.base, order: figures.order };
  const evened = { ...figures, ...evenOutAdjustments(order, totals, request.givenIn ?? 'order') };
  refuseInvalidMemo(order, request, evened);
  return evened;
}

/**
 * What the collectors make of a request: neither evened out nor checked against the money that is left. For a refund
 * that is done: its memo is evened out to the money, and then checked.
 *
 * Refused with: 400 a quantity beyond what is left · 400 an amount below zero · 400 more shipping than is left.
 */
export const collectCreditMemo = (stored: RefundableOrder, request: CreditMemoRequest): CreditMemoFigures =>
  collectMemo(inCoins(afterPendingMemos(stored)), request);

function collectMemo(order: RefundableOrder, request: CreditMemoRequest): CreditMemoFigures {
  refuseNegativeAmounts(request);
  const lines = chooseLines(order, request.items);
  const shipping = collectShipping(order, request);
  const parts = { order, coins: coinsOf(order), request, lines, shipping };
  const base = collect('base', parts);
  const inOrderCurrency = collect('order', parts);
  return {
    lines: lines.map(({ line, qty }, index) => ({
      orderItemId: line.orderItemId,
      qty,
      base: base.lines[index] ?? nothing,
      order: inOrderCurrency.lines[index] ?? nothing,
    })),
    base: base.totals,
    order: inOrderCurrency.totals,
    baseCost: add(zero, ...lines.map(({ line, qty }) => scale(line.baseCost, qty, unitsPerWhole, 1))),
  };
}

const nothing: MemoLineMoney = {
  rowTotal: zero,
  rowTotalInclTax: zero,
  taxAmount: zero,
  discountAmount: zero,
  discountTaxCompensationAmount: zero,
  weeeTaxAppliedRowAmount: zero,
};

interface Parts {
  order: RefundableOrder;
  coins: Coins;
  request: CreditMemoRequest;
  lines: readonly ChosenLine[];
  shipping: MemoShipping;
}

/** All collectors in one currency. Their order is fixed: what one leaves over from rounding the next one takes up. */
function collect(currency: Currency, { order, coins, request, lines, shipping }: Parts) {
  const registers = order[currency];
  const carries = noCarries(coins[currency]);
  const rows = collectRows(lines, currency, carries);
  const weee = collectWeee(lines, currency, carries);
  const discounts = collectDiscounts(lines, currency, {
    order: registers,
    shipping: shipping[currency],
    rows,
    carries,
  });
  const goods = rows.map(({ rowTotal }, index) => ({ rowTotal, discountAmount: discounts.byLine[index] ?? zero }));
  // Refunds that are decided in another order than they were worked out would give a cent of it back twice.
  const taxOnWeee = least(
    greatest(zero, leftToRefund(registers.taxInvoiced, registers.taxRefunded)),
    add(zero, ...weee.map((line) => line.taxOnWeee)),
  );
  const taxes = collectTaxes(lines, currency, { order: registers, goods, shipping, taxOnWeee, carries });
  const lineFigures = lines.map((_, index): MemoLineMoney => ({
    ...nothing,
    ...rows[index],
    weeeTaxAppliedRowAmount: weee[index]?.weeeTaxAppliedRowAmount ?? zero,
    ...taxes.byLine[index],
    ...goods[index],
  }));
  const memo = {
    discountAmount: discounts.discountAmount,
    shippingAmount: shipping[currency],
    shippingTaxAmount: taxes.shippingTaxAmount,
    taxAmount: taxes.taxAmount,
    discountTaxCompensationAmount: taxes.discountTaxCompensationAmount,
    adjustmentPositive: request.adjustmentPositive[currency],
    adjustmentNegative: request.adjustmentNegative[currency],
    difference: request.difference?.[currency] ?? zero,
  };
  return { lines: lineFigures, totals: totalsOf(lineFigures, memo, taxOnWeee) };
}

type Collected = Omit<MemoTotals, 'subtotal' | 'subtotalInclTax' | 'shippingInclTax' | 'adjustment' | 'grandTotal'>;

/** Last collector: the grand total. Adjustments are outside tax (platform facts 7.3, 400). */
function totalsOf(lines: readonly MemoLineMoney[], memo: Collected, taxOnWeee: Amount): MemoTotals {
  const sumOf = (of: (line: MemoLineMoney) => Amount) => add(zero, ...lines.map(of));
  const subtotal = sumOf((line) => line.rowTotal);
  const weee = sumOf((line) => line.weeeTaxAppliedRowAmount);
  const adjustment = subtract(memo.adjustmentPositive, memo.adjustmentNegative);
  return {
    ...memo,
    subtotal,
    subtotalInclTax: add(
      sumOf((line) => line.rowTotalInclTax),
      weee,
      taxOnWeee,
    ),
    shippingInclTax: add(memo.shippingAmount, memo.shippingTaxAmount),
    adjustment,
    grandTotal: add(
      subtotal,
      weee,
      memo.discountAmount,
      memo.shippingAmount,
      memo.taxAmount,
      memo.discountTaxCompensationAmount,
      adjustment,
    ),
  };
}
