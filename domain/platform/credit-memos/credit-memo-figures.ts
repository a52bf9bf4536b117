import { invalid } from '../../errors.ts';
import {
  amount,
  coinOf,
  divideHalfAway,
  toCoins,
  type Amount,
  type Currency,
  type InBoth,
  type OrderCurrencies,
  type Quantity,
} from '../../money.ts';
import type { OrderState } from '../order-state.ts';

/** The plain figures a credit memo is worked out from, and what comes out. Every amount exists in two currencies. */

/**
 * What to give back. Lines absent or empty: all that is left. Shipping absent: all that is left of it (platform facts
 * 7.2).
 */
export interface CreditMemoRequest {
  items?: readonly RequestedItem[];
  shipping?: InBoth;
  /** Goodwill on top, ex tax. */
  adjustmentPositive: InBoth;
  /** A fee kept back, ex tax. */
  adjustmentNegative: InBoth;
  /** The currency the amounts were given in; the other one follows it. The order's unless told otherwise. */
  givenIn?: Currency;
  /** True for the register's own refunds: the memo is evened out to what the customer paid. See `evenOutPosted`. */
  evensOutPosted?: boolean;
  /** Within the adjustments: what evens out the posted sums, where it is known already. */
  difference?: InBoth;
}

export interface RequestedItem {
  orderItemId: number;
  qty: Quantity;
}

/** An order as far as refunds see it. */
export interface RefundableOrder extends RatedCurrencies, InBoth<OrderRegisters> {
  state: OrderState;
  status: string;
  /** It was a layaway that was cancelled: what went back, and what was kept, is settled. */
  isLayawayCancelled: boolean;
  /** Promised to refunds under way, in the base currency: not to be given away meanwhile. */
  basePendingRefund: Amount;
  /** The memos of these refunds: their goods and their shipping are promised, too. */
  pendingMemos: readonly PendingMemo[];
  lines: readonly RefundableLine[];
  /** Ids of lines that are part of another one: they come back with it and cannot be asked for. */
  partIds: readonly number[];
}

/** An order's totals in one currency. */
export interface OrderRegisters {
  grandTotal: Amount;
  totalInvoiced: Amount;
  /** As posted: the discount of lines, of shipping and of the whole sale; negative. */
  discountAmount: Amount;
  totalPaid: Amount;
  totalRefunded: Amount;
  /** What went back without a memo, as credit of a cancelled order does. */
  returnedWithoutMemo: Amount;
  adjustmentPositive: Amount;
  adjustmentNegative: Amount;
  /** Of the adjustments: what memos gave more (or, below zero, less) than their goods come to. */
  differenceRefunded: Amount;
  taxInvoiced: Amount;
  taxRefunded: Amount;
  discountTaxCompensationInvoiced: Amount;
  discountTaxCompensationRefunded: Amount;
  shippingAmount: Amount;
  shippingRefunded: Amount;
  shippingTaxAmount: Amount;
  shippingTaxRefunded: Amount;
  shippingDiscountAmount: Amount;
  shippingDiscountTaxCompensationAmount: Amount;
}

export interface RefundableLine extends InBoth<LineRegisters> {
  orderItemId: number;
  sku: string;
  name: string;
  qtyOrdered: Quantity;
  qtyInvoiced: Quantity;
  qtyRefunded: Quantity;
  isQtyDecimal: boolean;
  /** Per unit. */
  baseCost: Amount;
}

/** A line in one currency: what was invoiced of it, and what memos have given back. Gross of discount. */
export interface LineRegisters {
  rowInvoiced: Amount;
  amountRefunded: Amount;
  /** Of the whole row as ordered; only shown. */
  rowTotalInclTax: Amount;
  discountInvoiced: Amount;
  discountRefunded: Amount;
  taxInvoiced: Amount;
  taxRefunded: Amount;
  discountTaxCompensationInvoiced: Amount;
  discountTaxCompensationRefunded: Amount;
  /** Fixed product tax of the whole row as ordered, and the tax on it, which belongs to no line's own tax. */
  weeeRow: Amount;
  weeeInvoiced: Amount;
  weeeRefunded: Amount;
  taxOnWeeeRow: Amount;
}

/** A credit memo before it is a document: what a preview shows is what a booking writes. */
export interface CreditMemoFigures extends InBoth<MemoTotals> {
  /** Every line of the order; those of quantity zero are not written. */
  lines: readonly MemoLine[];
  baseCost: Amount;
}

/** The memo of a refund that is under way through a gateway, as it was worked out before the gateway was asked. */
export interface PendingMemo {
  refundAttemptId: number;
  figures: CreditMemoFigures;
}

export interface MemoLine extends InBoth<MemoLineMoney> {
  orderItemId: number;
  qty: Quantity;
}

export interface MemoLineMoney {
  /** Ex tax, before discount. */
  rowTotal: Amount;
  rowTotalInclTax: Amount;
  taxAmount: Amount;
  /** Positive, as on the order's line. */
  discountAmount: Amount;
  discountTaxCompensationAmount: Amount;
  weeeTaxAppliedRowAmount: Amount;
}

export interface MemoTotals {
  subtotal: Amount;
  subtotalInclTax: Amount;
  /** Negative, as documents have it. */
  discountAmount: Amount;
  shippingAmount: Amount;
  shippingInclTax: Amount;
  shippingTaxAmount: Amount;
  taxAmount: Amount;
  discountTaxCompensationAmount: Amount;
  adjustmentPositive: Amount;
  adjustmentNegative: Amount;
  adjustment: Amount;
  /** Of the adjustment: what evens out the sums that the order was posted with. */
  difference: Amount;
  grandTotal: Amount;
}

/** Rates are stored with up to twelve decimals. */
const rateDecimals = 12;

const rateOne = 10n ** BigInt(rateDecimals);

export interface RatedCurrencies extends OrderCurrencies {
  /** Units of the order's currency for one of the base currency, as decimal text. */
  baseToOrderRate: string;
}

/**
 * A base amount, as the platform's own routes take it, in both currencies, each counted in its own coins: the order's
 * is what was counted in base times the rate. Refused with: 400 an amount that the other currency cannot hold.
 */
export const postedInBase = (input: Amount, rated: RatedCurrencies): InBoth => {
  const base = toCoins(input, coinOf(rated.baseCurrencyCode));
  return { base, order: inCoinsOf(rated.orderCurrencyCode, BigInt(base) * rateOf(rated), rateOne) };
};

/**
 * An amount in the order's currency, as a register gives it, in both: the base amount is what was counted by the rate.
 * Refused with: 400 an amount that the other currency cannot hold.
 */
export const postedInOrderCurrency = (input: Amount, rated: RatedCurrencies): InBoth => {
  const order = toCoins(input, coinOf(rated.orderCurrencyCode));
  return { order, base: inCoinsOf(rated.baseCurrencyCode, BigInt(order) * rateOne, rateOf(rated)) };
};

function inCoinsOf(currencyCode: string, dividend: bigint, divisor: bigint): Amount {
  const coin = coinOf(currencyCode);
  const units = Number(divideHalfAway(dividend, divisor * BigInt(coin))) * coin;
  if (!Number.isSafeInteger(units)) throw invalid('The amount is too large in %1.', [currencyCode]);
  return amount(units);
}

/** A rate that is absent or zero counts as one, as on the platform. */
function rateOf({ baseToOrderRate }: RatedCurrencies): bigint {
  const [whole = '', fraction = ''] = baseToOrderRate.split('.');
  return BigInt(`${whole}${fraction.padEnd(rateDecimals, '0').slice(0, rateDecimals)}`) || rateOne;
}
