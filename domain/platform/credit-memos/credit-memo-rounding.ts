import { invalid } from '../../errors.ts';
import {
  add,
  amount,
  divideHalfAway,
  greatest,
  isPositive,
  least,
  minus,
  negate,
  none,
  plus,
  subtract,
  together,
  zero,
  type Amount,
  type Coin,
  type Currency,
  type Quantity,
} from '../../money.ts';
import { refundQuantityNotValid } from '../../refusals/documents.ts';
import { toRefund } from '../document-lines.ts';
import { leftToRefund } from '../placement.ts';
import {
  sharedWithShipping,
  type MemoShipping,
  type OrderRegisters,
  type PendingMemo,
  type RefundableLine,
  type RefundableOrder,
  type RequestedItem,
} from './credit-memo-figures.ts';

/**
 * What rounding left over, to be added to the next figure: counts of 10⁻¹² of a currency unit.
 *
 * One for each kind of figure and currency of one memo; it never leaves the computation.
 */
export interface Carry {
  delta: bigint;
  /** Of the currency: what every figure is counted in. */
  readonly coin: Coin;
}

export interface Carries {
  /** Row totals, fixed product taxes, discounts and taxes, in the order they are worked out. */
  regular: Carry;
  /** Rows including tax, which are only shown. */
  including: Carry;
  readonly coin: Coin;
}

export const noCarries = (coin: Coin): Carries => ({
  regular: { delta: 0n, coin },
  including: { delta: 0n, coin },
  coin,
});

/** `part / whole` of an amount; the parts may be quantities or money. */
export interface Share {
  of: Amount;
  part: number;
  whole: number;
}

/** 10⁻¹² in one unit of an Amount, and the steps of rounding between. */
const finerPerUnit = 100_000_000n;
const finerPerEighthDecimal = 10_000n;
const eighthDecimalsPerUnit = 10_000n;

/** What a share must not go below or above. */
export interface Bounds {
  least: Amount;
  most: Amount;
}

/**
 * Delta rounding (platform facts 7.3): the share in coins, together with what earlier shares left over.
 *
 * A share of nothing is nothing and leaves the carry alone. The answer lies between zero and the whole amount, and
 * within the bounds. So no line goes below zero or above what is left.
 */
export function carryShare(carry: Carry, share: Share, bounds?: Bounds, sign: 1n | -1n = 1n): Amount {
  const exact = exactShare(share);
  if (exact === 0n) return zero;
  const carried = exact + sign * carry.delta;
  const nearest = roundExact(carried, carry.coin);
  const within = bounds ? between(bounds.least, nearest, bounds.most) : nearest;
  const rounded = between(zero, within, share.of);
  carry.delta = sign * (carried - BigInt(rounded) * finerPerUnit);
  return rounded;
}

/** For what is taken off: the carry counts the other way round, so that goods and their discount round as one. */
export const carryDiscountShare = (carry: Carry, share: Share, bounds: Bounds): Amount =>
  carryShare(carry, share, bounds, -1n);

const exactShare = ({ of, part, whole }: Share): bigint =>
  whole === 0 ? 0n : divideHalfAway(BigInt(of) * finerPerUnit * BigInt(part), BigInt(whole));

/** To eight decimals first, as PHP's floats are rounded before they are rounded; each half away from zero. */
function roundExact(value: bigint, coin: Coin): Amount {
  const eighthDecimals = divideHalfAway(value, finerPerEighthDecimal);
  return amount(Number(divideHalfAway(eighthDecimals, eighthDecimalsPerUnit * BigInt(coin))) * coin);
}

const between = (one: Amount, value: Amount, other: Amount): Amount =>
  least(greatest(value, least(one, other)), greatest(one, other));

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
 * Refused with: 400 for a quantity below zero or beyond what is left of a line; it names a refund under way that keeps it.
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
