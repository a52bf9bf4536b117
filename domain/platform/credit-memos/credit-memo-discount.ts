import { add, negate, subtract, zero, type Amount } from '../../money/amount.ts';
import type { Currency } from '../../money/in-both.ts';
import type { OrderRegisters } from './credit-memo-figures.ts';
import type { ChosenLine } from './credit-memo-lines.ts';
import { carryDiscountShare, type Bounds, type Carries } from './credit-memo-rounding.ts';
import type { Row } from './credit-memo-rows.ts';
import { sharedWithShipping } from './credit-memo-shipping.ts';
import { leftToRefund } from '../left-to-refund.ts';

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
