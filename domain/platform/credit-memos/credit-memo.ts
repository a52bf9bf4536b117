import {
  add,
  coinsOf,
  greatest,
  least,
  negate,
  plus,
  scale,
  subtract,
  unitsPerWhole,
  zero,
  type Amount,
  type Coin,
  type Coins,
  type Currency,
  type InBoth,
  type Quantity,
} from '../../money.ts';
import { leftToRefund, moneyLeft } from '../placement.ts';
import { afterPendingMemos, inCoins, refuseInvalidMemo, refuseNegativeAmounts } from './credit-memo-coins.ts';
import {
  collectShipping,
  sharedWithShipping,
  type CreditMemoFigures,
  type CreditMemoRequest,
  type MemoLineMoney,
  type MemoShipping,
  type MemoTotals,
  type OrderRegisters,
  type RefundableOrder as CreditMemoFiguresRefundableOrder,
} from './credit-memo-figures.ts';
import {
  carryDiscountShare,
  carryShare,
  chooseLines,
  collectRows,
  collectTaxes,
  noCarries,
  type Bounds,
  type Carries,
  type ChosenLine,
  type Row,
} from './credit-memo-rounding.ts';
import { evenOutPosted } from './posted-difference.ts';

export type { CreditMemoFigures, CreditMemoRequest, RefundableOrder } from './credit-memo-figures.ts';

type Totals = InBoth<MemoTotals>;

/**
 * Makes the other currency follow the one the adjustments were given in. What takes all that is left in one currency
 * takes all in the other. What leaves something in the one never takes too much in the other.
 *
 * Every amount is converted to the cent on its own, so the other currency can end some cents beside: the last refund of
 * an order would be refused, or leave cents that can never be refunded. Our choice; the platform rounds on.
 *
 * Refunds under way are booked already in the order given here (`afterPendingMemos`), so it works beside them; a promise
 * without a memo, of which only the base is known, leaves the figures as they are.
 */
function evenOutAdjustments(order: CreditMemoFiguresRefundableOrder, totals: Totals, givenIn: Currency): Totals {
  if (!isAdjusted(totals) || order.basePendingRefund !== zero) return totals;
  const other = givenIn === 'base' ? 'order' : 'base';
  const over = beyondWhatIsLeft(order, totals, givenIn);
  const otherOver = beyondWhatIsLeft(order, totals, other);
  const follows = over === zero || (over < zero && otherOver > zero);
  return follows ? { ...totals, [other]: lowered(totals[other], otherOver) } : totals;
}

const isAdjusted = ({ base, order }: Totals) =>
  [base, order].some((totals) => totals.adjustmentPositive !== zero || totals.adjustmentNegative !== zero);

/** Below zero when the memo leaves something. */
const beyondWhatIsLeft = (order: CreditMemoFiguresRefundableOrder, totals: Totals, currency: Currency): Amount =>
  subtract(totals[currency].grandTotal, moneyLeft(order[currency]));

/** Takes it out of the adjustment that has room for it; a negative one puts it in, as goodwill where no fee can bear it. */
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

export interface Discounts {
  /** By line, positive. */
  byLine: Amount[];
  /** Lines and shipping together, negative as documents have it. */
  discountAmount: Amount;
}

export interface DiscountedMemo {
  order: OrderRegisters;
  shipping: Amount;
  rows: readonly Row[];
  carries: Carries;
}

/** Third collector: the discount that was given on what comes back, shipping included (platform facts 7.3, 150). */
function collectDiscounts(lines: readonly ChosenLine[], currency: Currency, memo: DiscountedMemo): Discounts {
  const { order, shipping, rows, carries } = memo;
  const byLine = lines.map((chosen, index) => discountOf(chosen, currency, rows[index]?.rowTotal ?? zero, carries));
  const onShipping = sharedWithShipping(order, order.shippingDiscountAmount, { shipping, coin: carries.coin });
  return { byLine, discountAmount: negate(add(onShipping, ...byLine)) };
}

function discountOf(chosen: ChosenLine, currency: Currency, rowTotal: Amount, { regular }: Carries): Amount {
  const { discountInvoiced, discountRefunded } = chosen.line[currency];
  if (chosen.available === 0) return zero;
  const left = leftToRefund(discountInvoiced, discountRefunded);
  if (chosen.isLast) return left;
  const share = { of: left, part: chosen.qty, whole: chosen.available };
  return carryDiscountShare(regular, share, withinGoods(chosen, currency, rowTotal, left));
}

/**
 * A carried cent must not make the discount larger than the goods it is on, now or in what stays behind: free goods
 * would cost a cent to bring back, and the last of them could not be refunded (our choice; the platform lets it).
 */
function withinGoods({ line }: ChosenLine, currency: Currency, rowTotal: Amount, discountLeft: Amount): Bounds {
  const registers = line[currency];
  const rowLeft = subtract(registers.rowInvoiced, registers.amountRefunded);
  const hidden = subtract(registers.discountTaxCompensationInvoiced, registers.discountTaxCompensationRefunded);
  const most = add(rowTotal, hidden);
  const stays = add(subtract(rowLeft, rowTotal), hidden);
  const minimumDiscount = subtract(discountLeft, stays);
  return minimumDiscount <= most ? { least: minimumDiscount, most } : { least: zero, most: discountLeft };
}

export interface Weee {
  weeeTaxAppliedRowAmount: Amount;
  taxOnWeee: Amount;
}

/** Second collector: fixed product taxes and the tax on them, by line (platform facts 7.3, 100). */
const collectWeee = (lines: readonly ChosenLine[], currency: Currency, carries: Carries): Weee[] =>
  lines.map((chosen) => ({
    weeeTaxAppliedRowAmount: weeeOf(chosen, currency, carries),
    taxOnWeee: taxOnWeee(chosen, currency, carries.coin),
  }));

/** A share of the row as ordered, but no more than is invoiced and left; the last takes all that is left. */
function weeeOf({ line, qty, available, isLast }: ChosenLine, currency: Currency, { regular }: Carries): Amount {
  const { weeeRow, weeeInvoiced, weeeRefunded } = line[currency];
  const left = leftToRefund(weeeInvoiced, weeeRefunded);
  if (isLast) return available > 0 ? left : zero;
  return least(left, carryShare(regular, { of: weeeRow, part: qty, whole: line.qtyOrdered }));
}

/** The tax on all that is back by now, less the tax on what was back before: it needs no register of its own. */
function taxOnWeee({ line, qty }: ChosenLine, currency: Currency, coin: Coin): Amount {
  const { taxOnWeeeRow } = line[currency];
  if (taxOnWeeeRow === zero) return zero;
  const upTo = (refunded: Quantity) => scale(taxOnWeeeRow, refunded, line.qtyOrdered, coin);
  return subtract(upTo(plus(line.qtyRefunded, qty)), upTo(line.qtyRefunded));
}

/**
 * Works out a credit memo: quantities, then the platform's collectors in their order, then its checks (platform facts
 * 7.2 to 7.4). Pure: a preview and a booking of the same order and request are the same figures.
 *
 * Whatever parts an order is refunded in, the parts add up to what was paid, to the coin, in both currencies. What refunds
 * under way were planned to give back is left for none of them.
 *
 * Refused with: 400 a quantity beyond what is left · 400 an amount below zero · 400 more shipping than is left ·
 * 400 with the lines of everything else that is wrong.
 */
export function computeCreditMemo(
  stored: CreditMemoFiguresRefundableOrder,
  request: CreditMemoRequest,
): CreditMemoFigures {
  const order = inCoins(afterPendingMemos(stored));
  const collected = collectMemo(order, request);
  const figures = request.evensOutPosted === true ? evenOutPosted(order, collected) : collected;
  const totals = { base: figures.base, order: figures.order };
  const evened = { ...figures, ...evenOutAdjustments(order, totals, request.givenIn ?? 'order') };
  refuseInvalidMemo(order, request, evened);
  return evened;
}

/**
 * What the collectors make of a request: neither evened out nor checked against the money that is left. For a refund that
 * is done: its memo is evened out to the money, and then checked.
 *
 * Refused with: 400 a quantity beyond what is left · 400 an amount below zero · 400 more shipping than is left.
 */
export const collectCreditMemo = (
  stored: CreditMemoFiguresRefundableOrder,
  request: CreditMemoRequest,
): CreditMemoFigures => collectMemo(inCoins(afterPendingMemos(stored)), request);

function collectMemo(order: CreditMemoFiguresRefundableOrder, request: CreditMemoRequest): CreditMemoFigures {
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
  order: CreditMemoFiguresRefundableOrder;
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
