import { add, negate, subtract, zero, type Amount } from '../money/amount.ts';
import type { Currency, OrderRegisters } from './credit-memo-figures.ts';
import type { ChosenLine } from './credit-memo-lines.ts';
import { carryDiscountShare, type Carries } from './credit-memo-rounding.ts';
import { sharedWithShipping } from './credit-memo-shipping.ts';

export interface Discounts {
  /** By line, positive. */
  byLine: Amount[];
  /** Lines and shipping together, negative as documents have it. */
  discountAmount: Amount;
}

/** Third collector: the discount that was given on what comes back, shipping included (platform facts 7.3, 150). */
export function collectDiscounts(
  lines: readonly ChosenLine[],
  currency: Currency,
  { order, shipping, carries }: { order: OrderRegisters; shipping: Amount; carries: Carries },
): Discounts {
  const byLine = lines.map((chosen) => discountOf(chosen, currency, carries));
  const onShipping = sharedWithShipping(order, order.shippingDiscountAmount, shipping);
  return { byLine, discountAmount: negate(add(onShipping, ...byLine)) };
}

function discountOf({ line, qty, available, isLast }: ChosenLine, currency: Currency, { regular }: Carries): Amount {
  const { discountInvoiced, discountRefunded } = line[currency];
  if (available === 0) return zero;
  const left = subtract(discountInvoiced, discountRefunded);
  return isLast ? left : carryDiscountShare(regular, { of: left, part: qty, whole: available });
}
