import { greatest, least, subtract, zero, type Amount } from '../money/amount.ts';

/**
 * How much of a figure can still be refunded. It is zero where more was refunded than the figure is now, after a
 * cancelled invoice or a smaller save. Never negative: a refund does not take money.
 */
export function leftToRefund(whole: Amount, refunded: Amount): Amount {
  const left = subtract(whole, refunded);
  return whole < zero ? least(zero, left) : greatest(zero, left);
}
