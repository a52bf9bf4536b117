import {
  absolute,
  add,
  atLeastNone,
  coinsOf,
  isWhole,
  minimum,
  minus,
  none,
  plus,
  subtract,
  toCoins,
  toPlain,
  zero,
  type Amount,
  type Coin,
  type Currency,
  type Quantity,
} from '../../money.ts';
import { valueBelowMinimum } from '../../refusals/platform.ts';
import { refuseDocument } from '../document-lines.ts';
import { isReadyForCreditmemo } from '../order-state.ts';
import { moneyLeft } from '../placement.ts';
import type {
  CreditMemoFigures,
  CreditMemoRequest,
  LineRegisters,
  MemoLine,
  OrderRegisters,
  RefundableLine,
  RefundableOrder,
  RequestedItem,
} from './credit-memo-figures.ts';

/**
 * The same order counted in coins, each currency by its own. Registers may post figures finer than that, but money is
 * paid in coins: each line gets the coins by which the sum up to it grows, so that the lines still add up to the
 * order's totals; what was paid is the coins nearest to it.
 *
 * Our choice. The platform gives the finer rest back with the last piece of a line. After some rounding it refuses the
 * last refund of the order, for a cent too much. An order in coins comes out as it went in.
 */
export function inCoins(order: RefundableOrder): RefundableOrder {
  const coins = coinsOf(order);
  const base = countedIn('base', order, coins.base);
  const own = countedIn('order', order, coins.order);
  return {
    ...order,
    lines: order.lines.map((line, index) => ({
      ...line,
      base: base.lines[index] ?? line.base,
      order: own.lines[index] ?? line.order,
    })),
    base: base.registers,
    order: own.registers,
  };
}

const lineFigures = [
  'rowInvoiced',
  'rowTotalInclTax',
  'discountInvoiced',
  'taxInvoiced',
  'discountTaxCompensationInvoiced',
  'weeeRow',
  'weeeInvoiced',
  'taxOnWeeeRow',
] as const satisfies readonly (keyof LineRegisters)[];

const headerFigures = [
  'grandTotal',
  'totalInvoiced',
  'totalPaid',
  'totalRefunded',
  'returnedWithoutMemo',
  'taxInvoiced',
  'discountTaxCompensationInvoiced',
  'shippingAmount',
  'shippingTaxAmount',
  'shippingDiscountAmount',
  'shippingDiscountTaxCompensationAmount',
] as const satisfies readonly (keyof OrderRegisters)[];

export interface Counted {
  lines: readonly LineRegisters[];
  registers: OrderRegisters;
}

function countedIn(currency: Currency, order: RefundableOrder, coin: Coin): Counted {
  const exact = { lines: order.lines.map((line) => line[currency]), registers: order[currency] };
  const registers = { ...exact.registers };
  for (const figure of headerFigures) registers[figure] = toCoins(registers[figure], coin);
  const counted = { lines: linesInCoins(order.lines, currency, coin), registers };
  return followTotal(exact, counted, coin);
}

function linesInCoins(lines: readonly RefundableLine[], currency: Currency, coin: Coin): LineRegisters[] {
  const rounded = lines.map((line) => ({ ...line[currency] }));
  for (const figure of lineFigures) {
    let sum = zero;
    for (const line of rounded) {
      const before = toCoins(sum, coin);
      sum = add(sum, line[figure]);
      line[figure] = subtract(toCoins(sum, coin), before);
    }
  }
  return rounded;
}

/**
 * Goods, taxes and shipping are rounded one by one, the total once. So they can come to a coin more or less than the
 * total. Tax bears that coin, or the dearest line where there is no tax. So the last refund gives back just the rest.
 * Only where the exact figures add up to the total: another difference was posted, and is not ours to mend.
 */
function followTotal(exact: Counted, counted: Counted, coin: Coin): Counted {
  const { registers, lines } = counted;
  const isConsistent = absolute(subtract(sumOf(exact), exact.registers.grandTotal)) < coin;
  const beyond = subtract(registers.grandTotal, sumOf(counted));
  if (beyond === zero || !isConsistent) return counted;
  const taxInvoiced = add(registers.taxInvoiced, beyond);
  if (registers.taxInvoiced > zero && taxInvoiced >= zero) return { lines, registers: { ...registers, taxInvoiced } };
  const dearest = lines.toSorted((one, other) => other.rowInvoiced - one.rowInvoiced)[0];
  const borne = lines.map((line) =>
    line === dearest ? { ...line, rowInvoiced: add(line.rowInvoiced, beyond) } : line,
  );
  return { lines: borne, registers };
}

/** What everything invoiced comes to. */
export function sumOf({ lines, registers }: Counted): Amount {
  const sum = (figure: keyof LineRegisters) => add(zero, ...lines.map((line) => line[figure]));
  return subtract(
    add(
      sum('rowInvoiced'),
      sum('weeeInvoiced'),
      registers.shippingAmount,
      registers.taxInvoiced,
      registers.discountTaxCompensationInvoiced,
    ),
    sum('discountInvoiced'),
    registers.shippingDiscountAmount,
  );
}

/**
 * The order as if the refunds under way were booked: their goods, their shipping and their money are kept free. What is
 * left of the pending sum is promised without a memo that is known.
 *
 * Worked out from it, another memo takes the rest of a line or its share just as it would after them; so whatever
 * becomes of the refunds under way, theirs can be booked.
 */
export const afterPendingMemos = (order: RefundableOrder): RefundableOrder =>
  order.pendingMemos.reduce(
    (after, { figures }) => ({
      ...afterMemo(after, figures),
      basePendingRefund: subtract(after.basePendingRefund, figures.base.grandTotal),
    }),
    order,
  );

/** The order once the memo is booked: what a booking writes, on plain figures. */
export function afterMemo(order: RefundableOrder, memo: CreditMemoFigures): RefundableOrder {
  return {
    ...order,
    lines: order.lines.map((line) => {
      const input = memo.lines.find((one) => one.orderItemId === line.orderItemId);
      return input === undefined ? line : lineAfter(line, input);
    }),
    base: registersAfter(order, memo, 'base'),
    order: registersAfter(order, memo, 'order'),
  };
}

function lineAfter(line: RefundableLine, memo: MemoLine): RefundableLine {
  const after = (currency: Currency): LineRegisters => {
    const [was, input] = [line[currency], memo[currency]];
    return {
      ...was,
      amountRefunded: add(was.amountRefunded, input.rowTotal),
      discountRefunded: add(was.discountRefunded, input.discountAmount),
      taxRefunded: add(was.taxRefunded, input.taxAmount),
      discountTaxCompensationRefunded: add(was.discountTaxCompensationRefunded, input.discountTaxCompensationAmount),
      weeeRefunded: add(was.weeeRefunded, input.weeeTaxAppliedRowAmount),
    };
  };
  return { ...line, qtyRefunded: plus(line.qtyRefunded, memo.qty), base: after('base'), order: after('order') };
}

function registersAfter(order: RefundableOrder, memo: CreditMemoFigures, currency: Currency): OrderRegisters {
  const [was, input] = [order[currency], memo[currency]];
  return {
    ...was,
    totalRefunded: add(was.totalRefunded, input.grandTotal),
    adjustmentPositive: add(was.adjustmentPositive, input.adjustmentPositive),
    adjustmentNegative: add(was.adjustmentNegative, input.adjustmentNegative),
    differenceRefunded: add(was.differenceRefunded, input.difference),
    taxRefunded: add(was.taxRefunded, input.taxAmount),
    discountTaxCompensationRefunded: add(was.discountTaxCompensationRefunded, input.discountTaxCompensationAmount),
    shippingRefunded: add(was.shippingRefunded, input.shippingAmount),
    shippingTaxRefunded: add(was.shippingTaxRefunded, input.shippingTaxAmount),
  };
}

/** Where the goods of a refund are (platform facts 10). */

/**
 * A line's quantities, and what of it came back before this memo: with memos that moved their goods, and with returns.
 */
export interface GoodsOfLine {
  qtyInvoiced: Quantity;
  qtyShipped: Quantity;
  before: CameBack;
}

export interface CameBack {
  /** Of what had been handed over. */
  cameBack: Quantity;
  /** Never handed over; not promised to the order any more. */
  neverShipped: Quantity;
}

export interface RefundedGoods {
  /** Still on the shelf, and still promised to the order: these are refunded first. */
  unshipped: Quantity;
  /** With the customer until now, or back already with a return. */
  shipped: Quantity;
}

/** Splits what a memo refunds of a line into what was handed over and what was not. */
export function splitRefunded({ qtyInvoiced, qtyShipped, before }: GoodsOfLine, qty: Quantity): RefundedGoods {
  const onShelf = atLeastNone(minus(qtyInvoiced, qtyShipped, before.neverShipped));
  const unshipped = minimum(qty, onShelf);
  return { unshipped, shipped: minus(qty, unshipped) };
}

/** How much of something lies, or lay, at a source; in the order of the sources' priority. */
export interface AtSource {
  sourceCode: string;
  qty: Quantity;
}

/** Takes a quantity from the sources in their order, after leaving out the first so many; less when they hold less. */
export function takeFrom(sources: readonly AtSource[], requested: Quantity, leftOut: Quantity = none): AtSource[] {
  const taken: AtSource[] = [];
  let skip = leftOut;
  let missing = requested;
  for (const { sourceCode, qty } of sources) {
    const skipped = minimum(skip, qty);
    const here = minimum(minus(qty, skipped), missing);
    skip = minus(skip, skipped);
    missing = minus(missing, here);
    if (here > none) taken.push({ sourceCode, qty: here });
  }
  return taken;
}

/** 400 for an amount below zero: a memo gives back, an adjustment says in its name which way it goes. */
export function refuseNegativeAmounts({ shipping, adjustmentPositive, adjustmentNegative }: CreditMemoRequest): void {
  const input = { shippingAmount: shipping, adjustmentPositive, adjustmentNegative };
  for (const [fieldName, value] of Object.entries(input)) {
    if (value === undefined || (value.base >= zero && value.order >= zero)) continue;
    throw valueBelowMinimum({
      fieldName,
      value: toPlain(value.order),
      minValue: 0,
    });
  }
}

/**
 * The platform's checks of a memo that is worked out, in its order, answered together (platform facts 7.4). Both are
 * counted in coins by now.
 *
 * Refused with: 400, one line for each thing that is wrong.
 */
export function refuseInvalidMemo(
  order: RefundableOrder,
  request: CreditMemoRequest,
  figures: CreditMemoFigures,
): void {
  const items = request.items ?? [];
  const errors = [
    ...(bringsFreeGoodsBack(order, request, figures) ? [] : orderErrors(order, figures)),
    ...brokenPieces(order.lines, items),
    ...totalErrors(order, figures),
    ...itemErrors(order, items),
  ];
  refuseDocument('Creditmemo', errors);
}

/**
 * Goods that are worth nothing come back at the register at any time, also when all money went back before them. Our
 * choice: the platform refuses every memo of an order that is closed or has no money left.
 */
const bringsFreeGoodsBack = (
  { state }: RefundableOrder,
  { evensOutPosted }: CreditMemoRequest,
  { lines, base, order }: CreditMemoFigures,
): boolean =>
  evensOutPosted === true &&
  (state === 'closed' || isReadyForCreditmemo(state)) &&
  lines.some(({ qty }) => qty > none) &&
  base.grandTotal === zero &&
  order.grandTotal === zero;

function orderErrors(order: RefundableOrder, figures: CreditMemoFigures): string[] {
  if (!isReadyForCreditmemo(order.state) && !isMoneyOfCancelled(order, figures)) {
    return [`A creditmemo can not be created when an order has a status of ${order.status}`];
  }
  return hasSomethingLeft(order) ? [] : ['The order does not allow a creditmemo to be created.'];
}

/**
 * Money of a cancelled order that was not given back yet goes out by a memo without goods. Our choice: the platform
 * refuses every memo of a cancelled order. What the fee of a cancelled layaway kept is settled: it stays.
 */
const isMoneyOfCancelled = (
  { state, isLayawayCancelled }: RefundableOrder,
  { lines, base, order }: CreditMemoFigures,
) =>
  state === 'canceled' &&
  !isLayawayCancelled &&
  lines.every(({ qty }) => qty === none) &&
  (base.grandTotal > zero || order.grandTotal > zero);

/** Money in either currency, or, where nothing had to be paid, goods. */
function hasSomethingLeft({ base, order, lines }: RefundableOrder): boolean {
  if (order.grandTotal === zero) return lines.some((line) => line.qtyInvoiced > line.qtyRefunded);
  return hasMoneyLeft(order) || hasMoneyLeft(base);
}

/** Both are counted in coins: the smallest rest that there can be is a coin, and it is somebody's. */
const hasMoneyLeft = (registers: OrderRegisters) => moneyLeft(registers) !== zero;

/** One sentence for each part of a line that is sold by the piece. */
export const brokenPieces = (
  lines: readonly Pick<RefundableLine, 'orderItemId' | 'sku' | 'isQtyDecimal'>[],
  items: readonly RequestedItem[],
): string[] =>
  items.flatMap(({ orderItemId, qty }) => {
    const line = lines.find((one) => one.orderItemId === orderItemId);
    const isBroken = line !== undefined && !line.isQtyDecimal && !isWhole(qty);
    return isBroken ? [`We found an invalid quantity to refund item "${line.sku}".`] : [];
  });

/** A memo of zero is fine; one below zero would take money. */
function totalErrors(order: RefundableOrder, { base, order: inOrderCurrency }: CreditMemoFigures): string[] {
  const isNegative = base.grandTotal < zero || inOrderCurrency.grandTotal < zero;
  const isTooMuch =
    exceeds(order.base, base.grandTotal, order.basePendingRefund) ||
    exceeds(order.order, inOrderCurrency.grandTotal, zero);
  const left = subtract(moneyLeft(order.base), order.basePendingRefund);
  return [
    ...(isNegative ? ["The credit memo's total must be positive."] : []),
    ...(isTooMuch ? [`The most money available to refund is ${toPlain(left)}.`] : []),
  ];
}

const exceeds = (
  { totalPaid, totalRefunded, returnedWithoutMemo }: OrderRegisters,
  grandTotal: Amount,
  pending: Amount,
) => add(totalRefunded, returnedWithoutMemo, pending, grandTotal) > totalPaid;

const itemErrors = ({ lines, partIds }: RefundableOrder, items: readonly RequestedItem[]) =>
  items.flatMap(({ orderItemId }) => {
    if (partIds.includes(orderItemId)) return ['The creditmemo contains incorrect product items.'];
    if (lines.some((line) => line.orderItemId === orderItemId)) return [];
    return ['The creditmemo contains product item that is not part of the original order.'];
  });
