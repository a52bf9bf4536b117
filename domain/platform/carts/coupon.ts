import { unitsPerWhole } from '../../money/fixed-point.ts';
import { add, least, scale, subtract, zero, type Amount } from '../../money/amount.ts';
import { toCoins, type Coin } from '../../money/coins.ts';
import type { Quantity } from '../../money/quantity.ts';

/**
 * How a coupon discounts: a percentage of each row, an amount for each piece, or an amount for the whole cart
 * (platform facts 9.4).
 */
export const couponActions = ['by_percent', 'by_fixed', 'cart_fixed'] as const;
export type CouponAction = (typeof couponActions)[number];

/** A discount in one currency; for `by_percent`, `amount` is a percentage. */
export interface Discount {
  action: CouponAction;
  amount: Amount;
}

/** A row before discount and tax. */
export interface DiscountableRow {
  rowTotal: Amount;
  qty: Quantity;
}

/** As an `Amount`, a percentage is a count of 1/10 000 of a percent. */
const wholeInPercent = 100 * unitsPerWhole;

/**
 * What a coupon takes off each row: before tax, in coins, never more than the row (our choice: shipping has no
 * discount).
 *
 * A discount on the whole cart is spread over the rows by their value, and the rows take exactly all of it.
 */
export function discountsOf(rows: readonly DiscountableRow[], discount: Discount | undefined, coin: Coin): Amount[] {
  if (!discount) return rows.map(() => zero);
  const { action, amount } = discount;
  if (action === 'by_percent') return rows.map(({ rowTotal }) => scale(rowTotal, amount, wholeInPercent, coin));
  if (action === 'by_fixed')
    return rows.map(({ rowTotal, qty }) => least(rowTotal, scale(amount, qty, unitsPerWhole, coin)));
  return spread(
    rows.map(({ rowTotal }) => rowTotal),
    amount,
    coin,
  );
}

/** Each row takes its share of what is left, so the last row with a value takes the exact rest. */
function spread(rows: readonly Amount[], amount: Amount, coin: Coin): Amount[] {
  let worth = add(...rows);
  let left = least(toCoins(amount, coin), worth);
  return rows.map((row) => {
    const share = worth === zero ? zero : least(row, scale(left, row, worth, coin));
    worth = subtract(worth, row);
    left = subtract(left, share);
    return share;
  });
}
