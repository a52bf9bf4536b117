import {
  absolute,
  add,
  greatest,
  least,
  negate,
  scale,
  subtract,
  zero,
  coinsOf,
  inBoth,
  none,
  type Amount,
  type Coin,
  type Currency,
} from '../../money.ts';
import { moneyText } from '../../currency-texts.ts';
import { toRefund } from '../document-lines.ts';
import { moneyLeft } from '../placement.ts';
import { afterMemo, inCoins, sumOf } from './credit-memo-coins.ts';
import type {
  CreditMemoFigures,
  LineRegisters,
  MemoTotals,
  OrderRegisters,
  RefundableOrder,
} from './credit-memo-figures.ts';

/**
 * Evens a memo of the register out to what the customer paid. Lines can come to more or less than the total: cash is
 * rounded, base figures are rounded by the rate, a discount stands in the header only, a tip stands on no line.
 *
 * The difference goes into the memo's adjustments, in each currency by itself. A discount on the whole sale is shared
 * by the goods that come back; anything else goes with the last of them. So no memo gives more than was paid, none
 * gives less than zero, and the last one gives the exact rest. The platform's own refunds are not evened out.
 *
 * A memo whose money another refund gave away stays as it is: its booking is refused.
 *
 * @param order in coins, with the refunds under way
 */
export function evenOutPosted(order: RefundableOrder, memo: CreditMemoFigures): CreditMemoFigures {
  if (!memo.lines.some(({ qty }) => qty > none)) return memo;
  if (isFree(order, memo)) return memo;
  const after = afterMemo(order, memo);
  const differences = inBoth((currency) => differenceOf(order, after, { memo: memo[currency], currency }));
  return {
    ...memo,
    base: adjusted(memo.base, differences.base),
    order: adjusted(memo.order, differences.order),
  };
}

interface InCurrency {
  memo: MemoTotals;
  currency: Currency;
}

/** What the memo's goods, taxes and shipping come to, without goodwill and fee. */
const worthOf = ({ grandTotal, adjustment }: MemoTotals): Amount => subtract(grandTotal, adjustment);

function differenceOf(order: RefundableOrder, after: RefundableOrder, { memo, currency }: InCurrency): Amount {
  const was = order[currency];
  const worth = worthOf(memo);
  // A fee that was kept is money that is left, and no goods are worth it.
  const rest = subtract(totalOf(order, currency), postedForGoods(was));
  const share = add(worth, subtract(differenceBy(after, currency), was.differenceRefunded));
  const requested = isAllBack(after) && isShippingBack(after[currency]) ? rest : share;
  return subtract(least(greatest(zero, requested), greatest(zero, rest), leftOf(order, currency)), worth);
}

const leftOf = (order: RefundableOrder, currency: Currency): Amount =>
  greatest(zero, subtract(moneyLeft(order[currency]), currency === 'base' ? order.basePendingRefund : zero));

/** How far the memos of an order must be from their goods by now. */
function differenceBy(order: RefundableOrder, currency: Currency): Amount {
  const posted = postedDifference(order, currency);
  if (isAllBack(order) || posted >= zero) return isAllBack(order) ? posted : zero;
  const onNoLine = least(discountOnNoLine(order, currency), negate(posted));
  return negate(shareOf(onNoLine, order, { currency, coin: coinsOf(order)[currency] }));
}

const isAllBack = ({ lines }: RefundableOrder): boolean => lines.every((line) => toRefund(line) === none);

const isShippingBack = ({ shippingAmount, shippingRefunded }: OrderRegisters): boolean =>
  shippingRefunded >= shippingAmount;

/** The total beside what its parts come to: below zero, where the customer paid less. */
export function postedDifference(order: RefundableOrder, currency: Currency): Amount {
  const sum = sumOf({ lines: order.lines.map((line) => line[currency]), registers: order[currency] });
  return subtract(totalOf(order, currency), sum);
}

/** Of an order that is invoiced in part, the total of that part. */
function totalOf({ lines, ...order }: RefundableOrder, currency: Currency): Amount {
  const isAllInvoiced = lines.every((line) => line.qtyInvoiced >= line.qtyOrdered);
  return isAllInvoiced ? order[currency].grandTotal : order[currency].totalInvoiced;
}

/** The discount of an order's header that neither its lines nor its shipping show. */
export function discountOnNoLine(order: RefundableOrder, currency: Currency): Amount {
  const { discountAmount, shippingDiscountAmount } = order[currency];
  const shown = add(shippingDiscountAmount, ...order.lines.map((line) => line[currency].discountInvoiced));
  return greatest(zero, subtract(negate(discountAmount), shown));
}

/** The share of a discount that goes with the goods that are back. */
function shareOf(discount: Amount, { lines }: RefundableOrder, { currency, coin }: { currency: Currency; coin: Coin }) {
  const sum = (of: (line: LineRegisters) => Amount) => add(zero, ...lines.map((line) => of(line[currency])));
  const all = sum((line) =>
    subtract(add(line.rowInvoiced, line.weeeInvoiced, line.taxInvoiced), line.discountInvoiced),
  );
  const back = sum((line) =>
    subtract(add(line.amountRefunded, line.weeeRefunded, line.taxRefunded), line.discountRefunded),
  );
  return all <= zero ? zero : scale(discount, least(all, greatest(zero, back)), all, coin);
}

/**
 * Goodwill and the like took the money of these goods: they are worth something by the order's own sums, and nothing is
 * left. Where the sums themselves leave nothing for them, a memo of zero brings them back.
 */
function isFree(order: RefundableOrder, memo: CreditMemoFigures): boolean {
  const isNothingLeft = leftOf(order, 'order') === zero && worthOf(memo.order) > zero;
  return isNothingLeft && postedForGoods(order.order) < totalOf(order, 'order');
}

/** What memos gave back for goods: without goodwill, and as if no fee had been kept. */
const postedForGoods = (registers: OrderRegisters): Amount =>
  add(
    subtract(registers.totalRefunded, registers.adjustmentPositive),
    registers.adjustmentNegative,
    registers.differenceRefunded,
  );

function adjusted(memo: MemoTotals, difference: Amount): MemoTotals {
  return {
    ...memo,
    adjustmentPositive: add(memo.adjustmentPositive, greatest(zero, difference)),
    adjustmentNegative: add(memo.adjustmentNegative, greatest(zero, negate(difference))),
    adjustment: add(memo.adjustment, difference),
    difference,
    grandTotal: add(memo.grandTotal, difference),
  };
}

/**
 * Why a memo is not what its goods come to, for its comment; null where it is.
 *
 * @param stored the order before the memo
 */
export function whyItDiffers(stored: RefundableOrder, memo: CreditMemoFigures): string | null {
  const currency = memo.order.difference === zero ? 'base' : 'order';
  const { difference } = memo[currency];
  if (difference === zero) return null;
  const order = inCoins(stored);
  const code = currency === 'base' ? order.baseCurrencyCode : order.orderCurrencyCode;
  const text = (value: Amount) => moneyText(value, code);
  const size = `${text(absolute(difference))} ${difference < zero ? 'less' : 'more'} than its goods come to`;
  return `This memo gives back ${size}: ${causeOf(order, { currency, difference, text })}.`;
}

/**
 * What of the customer's money stays after a memo whose sum was fixed before it was the last: its gateway was asked
 * while other goods were still out, and a refund by hand took them meanwhile. Null where nothing stays.
 *
 * @param stored the order before the memo
 */
export function whatStays(stored: RefundableOrder, memo: CreditMemoFigures): string | null {
  const after = afterMemo(inCoins(stored), memo);
  if (!isAllBack(after) || !isShippingBack(after.order)) return null;
  const unreturned = subtract(totalOf(after, 'order'), postedForGoods(after.order));
  const stays = least(unreturned, leftOf(after, 'order'));
  if (stays <= zero) return null;
  return `${moneyText(stays, after.orderCurrencyCode)} of what was paid stay: the gateway was asked for this refund before other goods were refunded. The platform's refund of the order gives them back, as adjustment_positive.`;
}

interface Differing {
  currency: Currency;
  difference: Amount;
  text: (value: Amount) => string;
}

function causeOf(order: RefundableOrder, { currency, difference, text }: Differing): string {
  const posted = postedDifference(order, currency);
  const onNoLine = discountOnNoLine(order, currency);
  if (posted === zero || posted < zero !== difference < zero)
    return difference < zero ? 'no more of what was paid is left for them' : 'no memo takes money from a customer';
  if (posted < zero && onNoLine > zero)
    return `a discount of ${text(onNoLine)} on the whole sale is on none of its lines`;
  const total = totalOf(order, currency);
  return `the sale came to ${text(total)}, and its parts to ${text(subtract(total, posted))}`;
}
