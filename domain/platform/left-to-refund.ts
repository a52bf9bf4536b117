import { greatest, least, subtract, zero, type Amount } from '../money/amount.ts';

/**
 * What is left of a figure to give back: nothing where more was given back than there is now, because an invoice of it was
 * cancelled since or its order was saved smaller. Never the other sign: a refund takes no money.
 */
export function leftToRefund(whole: Amount, refunded: Amount): Amount {
  const left = subtract(whole, refunded);
  return whole < zero ? least(zero, left) : greatest(zero, left);
}
