import { invalid } from '../../errors.ts';
import { add, isPositive, least, scale, subtract, zero, type Amount } from '../../money/amount.ts';
import { coinOf, type Coin } from '../../money/coins.ts';
import { moneyText } from '../../money/money-text.ts';
import type { InBoth } from '../../money/in-both.ts';
import type { CreditMemoRequest, OrderRegisters, RefundableOrder } from './credit-memo-figures.ts';
import { leftToRefund } from '../left-to-refund.ts';

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
  const { shipping: wanted, givenIn = 'order' } = request;
  const left = { base: shippingLeft(order.base), order: shippingLeft(order.order) };
  if (wanted === undefined && order.state === 'canceled') return { base: zero, order: zero, isWhole: false };
  if (wanted === undefined) return { ...left, isWhole: true };
  if (isPositive(wanted[givenIn]) && !isPositive(order[givenIn].shippingAmount)) {
    throw invalid('You can not refund shipping if there is no shipping amount.');
  }
  if (wanted[givenIn] > left[givenIn]) {
    const currencyCode = givenIn === 'base' ? order.baseCurrencyCode : order.orderCurrencyCode;
    throw invalid('Maximum shipping amount allowed to refund is: %1', [moneyText(left[givenIn], currencyCode)]);
  }
  if (wanted[givenIn] === left[givenIn] && isPositive(wanted[givenIn])) return { ...left, isWhole: true };
  if (wanted[givenIn] === zero) return { base: zero, order: zero, isWhole: left.base === zero && left.order === zero };
  return { ...part(order, wanted, left, givenIn), isWhole: false };
}

const shippingLeft = ({ shippingAmount, shippingRefunded }: OrderRegisters): Amount =>
  leftToRefund(shippingAmount, shippingRefunded);

/** The amount stays as given; a base amount is the same part of the shipping in the order's currency. */
function part(order: RefundableOrder, wanted: InBoth, left: InBoth, givenIn: 'base' | 'order'): InBoth {
  if (givenIn === 'order') return { order: wanted.order, base: least(wanted.base, left.base) };
  const coin = coinOf(order.orderCurrencyCode);
  const same = scale(order.order.shippingAmount, wanted.base, order.base.shippingAmount, coin);
  return { base: wanted.base, order: least(same, left.order) };
}

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
