import { invalid } from '../errors.ts';
import {
  add,
  amount,
  cent,
  greatest,
  isPositive,
  least,
  roundToCents,
  scale,
  subtract,
  zero,
  type Amount,
} from '../money/amount.ts';
import { moneyText } from '../money/money-text.ts';
import type { BothCurrencies, OrderRegisters, RefundableOrder } from './credit-memo-figures.ts';

/** Shipping a memo gives back, ex tax. */
export interface MemoShipping extends BothCurrencies {
  /** Takes all that is left of the shipping, so it takes the rest of its tax instead of a share. */
  isWhole: boolean;
}

/**
 * Fourth collector: how much shipping comes back (platform facts 7.3, 200). All that is left unless an amount is given.
 *
 * The order's currency decides what is too much and what is all: the amount a cashier typed in it stays as it is.
 *
 * Refused with: 400 for shipping on an order without, or for more than is left.
 */
export function collectShipping(order: RefundableOrder, wanted: BothCurrencies | undefined): MemoShipping {
  const left = { base: shippingLeft(order.base), order: shippingLeft(order.order) };
  if (wanted === undefined) return { ...left, isWhole: true };
  if (isPositive(wanted.base) && !isPositive(order.base.shippingAmount)) {
    throw invalid('You can not refund shipping if there is no shipping amount.');
  }
  if (wanted.order > left.order) {
    throw invalid('Maximum shipping amount allowed to refund is: %1', [moneyText(left.base, order.baseCurrencyCode)]);
  }
  if (takesAll(wanted, left)) return { ...left, isWhole: true };
  const base = least(wanted.base, left.base);
  return { base, order: wanted.order, isWhole: base === left.base };
}

const takesAll = (wanted: BothCurrencies, left: BothCurrencies) =>
  wanted.order === left.order && (isPositive(left.order) || wanted.base >= left.base);

/**
 * Shipping given in the base currency, as the platform's own routes take it, in both: the order's amount is the same
 * part of its shipping, and all or too much of it exactly when the base amount is.
 */
export function shippingGivenInBase(order: RefundableOrder, given: Amount): BothCurrencies {
  const base = roundToCents(given);
  const left = { base: shippingLeft(order.base), order: shippingLeft(order.order) };
  const oneCent = amount(cent);
  if (base === left.base) return left;
  if (base > left.base) return { base, order: add(left.order, oneCent) };
  const share = scale(order.order.shippingAmount, base, order.base.shippingAmount);
  return { base, order: greatest(zero, least(share, subtract(left.order, oneCent))) };
}

const shippingLeft = ({ shippingAmount, shippingRefunded }: OrderRegisters): Amount =>
  subtract(shippingAmount, shippingRefunded);

/**
 * The part of something that goes with the shipping, its discount for instance, that this memo gives back: the part of
 * all shipping refunded by now, less the part refunded before. So it adds up to the whole in however many parts.
 *
 * Our choice. The platform takes the whole discount when no amount is given, even after a part of it was taken, and
 * for an explicit zero a share of minus the shipping's tax: it would keep or give away money.
 */
export function sharedWithShipping(order: OrderRegisters, whole: Amount, shipping: Amount): Amount {
  const { shippingAmount, shippingRefunded } = order;
  if (!isPositive(shippingAmount)) return zero;
  const upTo = (refunded: Amount) => scale(whole, refunded, shippingAmount);
  return subtract(upTo(add(shippingRefunded, shipping)), upTo(shippingRefunded));
}
