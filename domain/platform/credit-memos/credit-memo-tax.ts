import { add, isPositive, least, negate, subtract, zero, type Amount } from '../../money/amount.ts';
import type { Currency } from '../../money/in-both.ts';
import type { OrderRegisters } from './credit-memo-figures.ts';
import type { ChosenLine } from './credit-memo-lines.ts';
import { restOrShare } from './credit-memo-rows.ts';
import { carryShare, type Carries } from './credit-memo-rounding.ts';
import { sharedWithShipping, type MemoShipping } from './credit-memo-shipping.ts';
import { leftToRefund } from '../left-to-refund.ts';

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
  const cap = (allowed: Amount, wanted: Amount) => (takesAll ? allowed : least(allowed, wanted));

  const wantedTax = add(shippingTaxAmount, ...byLine.map((line) => line.taxAmount));
  const allowedTax = leftToRefund(order.taxInvoiced, add(order.taxRefunded, memo.taxOnWeee));
  const wantedCompensation = add(compensationOnShipping, ...byLine.map((line) => line.discountTaxCompensationAmount));
  const allowedCompensation = leftToRefund(
    order.discountTaxCompensationInvoiced,
    order.discountTaxCompensationRefunded,
  );
  return {
    byLine,
    shippingTaxAmount,
    taxAmount: add(memo.taxOnWeee, cap(allowedTax, wantedTax)),
    discountTaxCompensationAmount: cap(allowedCompensation, wantedCompensation),
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
