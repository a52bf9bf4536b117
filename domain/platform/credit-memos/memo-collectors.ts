import { moneyText } from '../../currency-texts.ts';
import { invalid } from '../../errors.ts';
import {
  minus,
  none,
  plus,
  together,
  type Amount,
  type Currency,
  type Quantity,
  add,
  least,
  negate,
  subtract,
  zero,
  isPositive,
  scale,
  type Coin,
  type InBoth,
  coinOf,
} from '../../money.ts';
import { refundQuantityNotValid, noShippingToRefund, shippingRefundTooHigh } from '../../refusals/documents.ts';
import { toRefund } from '../document-lines.ts';
import { leftToRefund } from '../placement.ts';
import {
  type PendingMemo,
  type RefundableLine,
  type RefundableOrder,
  type RequestedItem,
  type OrderRegisters,
  type CreditMemoRequest,
} from './credit-memo-figures.ts';
import { carryShare, type Carries, carryDiscountShare, type Bounds } from './credit-memo-rounding.ts';

/** The figures of a memo in the order in which the platform collects them: rows, discounts, weee, taxes, shipping. */

/** A line of the order with the quantity the memo takes of it. */
export interface ChosenLine {
  line: RefundableLine;
  qty: Quantity;
  /** Invoiced and not yet refunded. */
  available: Quantity;
  /** Takes all that is left, so it takes the rest of the money instead of a share. */
  isLast: boolean;
}

/**
 * How much of each line comes back (platform facts 7.2): all that is left when nothing is listed, else what is listed
 * and nothing of the others. Two rows of one line are added up (our choice; the platform keeps the last).
 *
 * Refused with: 400 for a quantity below zero or beyond what is left of a line; it names a refund under way that keeps
 * it.
 */
export function chooseLines(
  { lines, pendingMemos }: RefundableOrder,
  items: readonly RequestedItem[] = [],
): ChosenLine[] {
  return lines.map((line) => {
    const available = toRefund(line);
    const requested = items.filter((item) => item.orderItemId === line.orderItemId).map((item) => item.qty);
    const qty = items.length === 0 ? available : together(requested);
    if (qty > available || requested.some((one) => one < none)) {
      throw notLeft(line, pendingMemos, minus(qty, available));
    }
    return { line, qty, available, isLast: qty === available };
  });
}

/** The platform's words, or, where it would be left but for a refund under way, that one. */
function notLeft({ orderItemId, name }: RefundableLine, pendingMemos: readonly PendingMemo[], beyond: Quantity) {
  const keepers = pendingMemos.flatMap(({ refundAttemptId, figures }) =>
    figures.lines.flatMap((line) => (line.orderItemId === orderItemId ? { refundAttemptId, qty: line.qty } : [])),
  );
  const [keeper] = keepers;
  if (!keeper || beyond <= none || beyond > plus(...keepers.map(({ qty }) => qty))) {
    return refundQuantityNotValid([name]);
  }
  return invalid('Refund attempt %refund_attempt_id is under way for item "%item": that many are not left of it.', {
    refund_attempt_id: keeper.refundAttemptId,
    item: name,
  });
}

export interface Row {
  rowTotal: Amount;
  rowTotalInclTax: Amount;
}

/** First collector: goods ex tax and before discount, by line (platform facts 7.3, 50). */
export const collectRows = (lines: readonly ChosenLine[], currency: Currency, carries: Carries): Row[] =>
  lines.map((chosen) => {
    const { rowInvoiced, amountRefunded, rowTotalInclTax } = chosen.line[currency];
    return {
      rowTotal: restOrShare(chosen, leftToRefund(rowInvoiced, amountRefunded), carries),
      rowTotalInclTax: carryShare(carries.including, {
        of: rowTotalInclTax,
        part: chosen.qty,
        whole: chosen.line.qtyOrdered,
      }),
    };
  });

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
export function collectDiscounts(lines: readonly ChosenLine[], currency: Currency, memo: DiscountedMemo): Discounts {
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
export const collectWeee = (lines: readonly ChosenLine[], currency: Currency, carries: Carries): Weee[] =>
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

export interface LineTax {
  taxAmount: Amount;
  discountTaxCompensationAmount: Amount;
}

export interface Taxes {
  byLine: LineTax[];
  shippingTaxAmount: Amount;
  /** Goods, shipping, and the tax on fixed product taxes. */
  taxAmount: Amount;
  discountTaxCompensationAmount: Amount;
}

/** What the earlier collectors made of a line. */
export interface Goods {
  rowTotal: Amount;
  discountAmount: Amount;
}

export interface TaxedMemo {
  goods: readonly Goods[];
  order: OrderRegisters;
  shipping: MemoShipping;
  /** Already worked out with the fixed product taxes. */
  taxOnWeee: Amount;
  carries: Carries;
}

/**
 * Fifth collector: taxes, never more than the order still has to give (platform facts 7.3, 250).
 *
 * When every line is at its end and no taxed shipping stays behind, the memo takes all the tax that is left: there the
 * order's header has the last word over its lines.
 */
export function collectTaxes(lines: readonly ChosenLine[], currency: Currency, memo: TaxedMemo): Taxes {
  const { order, shipping, carries } = memo;
  const byLine = lines.map((chosen, index) => lineTax(chosen, currency, memo.goods[index] ?? noGoods, carries));
  const shippingTaxAmount = shippingTax(order, shipping, currency, carries);
  const compensationOnShipping = sharedWithShipping(order, order.shippingDiscountTaxCompensationAmount, {
    shipping: shipping[currency],
    coin: carries.coin,
  });
  const takesAll = lines.every(({ isLast }) => isLast) && !staysBehind(order, shipping);
  const cap = (allowed: Amount, requested: Amount) => (takesAll ? allowed : least(allowed, requested));

  const requestedTax = add(shippingTaxAmount, ...byLine.map((line) => line.taxAmount));
  const allowedTax = leftToRefund(order.taxInvoiced, add(order.taxRefunded, memo.taxOnWeee));
  const requestedCompensation = add(
    compensationOnShipping,
    ...byLine.map((line) => line.discountTaxCompensationAmount),
  );
  const allowedCompensation = leftToRefund(
    order.discountTaxCompensationInvoiced,
    order.discountTaxCompensationRefunded,
  );
  return {
    byLine,
    shippingTaxAmount,
    taxAmount: add(memo.taxOnWeee, cap(allowedTax, requestedTax)),
    discountTaxCompensationAmount: cap(allowedCompensation, requestedCompensation),
  };
}

const noGoods: Goods = { rowTotal: zero, discountAmount: zero };

const staysBehind = (order: OrderRegisters, { isWhole }: MemoShipping) =>
  !isWhole && (isPositive(order.shippingTaxAmount) || isPositive(order.shippingDiscountTaxCompensationAmount));

function lineTax(chosen: ChosenLine, currency: Currency, goods: Goods, carries: Carries): LineTax {
  if (chosen.qty === 0) return { taxAmount: zero, discountTaxCompensationAmount: zero };
  const left = leftOf(chosen, currency);
  const taxAmount = restOrShare(chosen, left.tax, carries);
  const net = add(subtract(goods.rowTotal, goods.discountAmount), taxAmount);
  // As with the discount: what the line costs must not fall below zero, now or in what stays behind.
  const stays = subtract(add(left.row, left.tax), left.discount, net);
  const bounds = { least: negate(net), most: add(left.compensation, stays) };
  return {
    taxAmount,
    discountTaxCompensationAmount: restOrShare(
      chosen,
      left.compensation,
      carries,
      bounds.least <= bounds.most ? bounds : undefined,
    ),
  };
}

function leftOf({ line }: ChosenLine, currency: Currency) {
  const registers = line[currency];
  return {
    row: leftToRefund(registers.rowInvoiced, registers.amountRefunded),
    discount: leftToRefund(registers.discountInvoiced, registers.discountRefunded),
    tax: leftToRefund(registers.taxInvoiced, registers.taxRefunded),
    compensation: leftToRefund(registers.discountTaxCompensationInvoiced, registers.discountTaxCompensationRefunded),
  };
}

function shippingTax(order: OrderRegisters, shipping: MemoShipping, currency: Currency, { regular }: Carries): Amount {
  const left = leftToRefund(order.shippingTaxAmount, order.shippingTaxRefunded);
  if (shipping.isWhole) return left;
  const share = carryShare(regular, {
    of: order.shippingTaxAmount,
    part: shipping[currency],
    whole: order.shippingAmount,
  });
  return least(left, share);
}

/** Shipping a memo gives back, ex tax. */
export interface MemoShipping extends InBoth {
  /** Takes all that is left of the shipping, so it takes the rest of its tax instead of a share. */
  isWhole: boolean;
}

/**
 * Fourth collector: how much shipping comes back (platform facts 7.3, 200). All that is left unless an amount is given;
 * none of a cancelled order, whose shipping was not charged.
 *
 * The currency it was given in decides what is too much and what is all.
 *
 * Refused with: 400 for shipping on an order without, or for more than is left.
 */
export function collectShipping(order: RefundableOrder, request: CreditMemoRequest): MemoShipping {
  const { shipping: requested, givenIn = 'order' } = request;
  const left = { base: shippingLeft(order.base), order: shippingLeft(order.order) };
  if (requested === undefined && order.state === 'canceled') return { base: zero, order: zero, isWhole: false };
  if (requested === undefined) return { ...left, isWhole: true };
  if (isPositive(requested[givenIn]) && !isPositive(order[givenIn].shippingAmount)) {
    throw noShippingToRefund();
  }
  if (requested[givenIn] > left[givenIn]) {
    const currencyCode = givenIn === 'base' ? order.baseCurrencyCode : order.orderCurrencyCode;
    throw shippingRefundTooHigh([moneyText(left[givenIn], currencyCode)]);
  }
  if (requested[givenIn] === left[givenIn] && isPositive(requested[givenIn])) return { ...left, isWhole: true };
  if (requested[givenIn] === zero)
    return { base: zero, order: zero, isWhole: left.base === zero && left.order === zero };
  return { ...part(order, requested, left, givenIn), isWhole: false };
}

const shippingLeft = ({ shippingAmount, shippingRefunded }: OrderRegisters): Amount =>
  leftToRefund(shippingAmount, shippingRefunded);

/**
 * The part of something that goes with the shipping, its discount for instance, that this memo gives back: the part of
 * all shipping refunded by now, less the part refunded before. So it adds up to the whole in however many parts.
 *
 * Our choice. The platform takes the whole discount when no amount is given, even after a part of it was taken. For an
 * explicit zero it takes a share of minus the shipping's tax. Both would keep or give away money.
 */
export function sharedWithShipping(
  order: OrderRegisters,
  whole: Amount,
  { shipping, coin }: { shipping: Amount; coin: Coin },
): Amount {
  const { shippingAmount, shippingRefunded } = order;
  if (!isPositive(shippingAmount)) return zero;
  const upTo = (refunded: Amount) => scale(whole, refunded, shippingAmount, coin);
  return subtract(upTo(add(shippingRefunded, shipping)), upTo(shippingRefunded));
}

/** The amount stays as given; a base amount is the same part of the shipping in the order's currency. */
function part(order: RefundableOrder, requested: InBoth, left: InBoth, postedIn: 'base' | 'order'): InBoth {
  if (postedIn === 'order') return { order: requested.order, base: least(requested.base, left.base) };
  const coin = coinOf(order.orderCurrencyCode);
  const same = scale(order.order.shippingAmount, requested.base, order.base.shippingAmount, coin);
  return { base: requested.base, order: least(same, left.order) };
}

/** The last of a line takes what is left of its money; any other part its share. */
function restOrShare(
  { isLast, qty, available }: ChosenLine,
  left: Amount,
  { regular }: Carries,
  bounds?: Bounds,
): Amount {
  if (isLast) return available > 0 ? left : zero;
  return carryShare(regular, { of: left, part: qty, whole: available }, bounds);
}

/** The tax on all that is back by now, less the tax on what was back before: it needs no register of its own. */
function taxOnWeee({ line, qty }: ChosenLine, currency: Currency, coin: Coin): Amount {
  const { taxOnWeeeRow } = line[currency];
  if (taxOnWeeeRow === zero) return zero;
  const upTo = (refunded: Quantity) => scale(taxOnWeeeRow, refunded, line.qtyOrdered, coin);
  return subtract(upTo(plus(line.qtyRefunded, qty)), upTo(line.qtyRefunded));
}
