import fc from 'fast-check';
import {
  amount,
  scale,
  subtract,
  zero,
  quantity,
  type Amount,
  type Quantity,
  type Currency,
} from '../../../../domain/money.ts';
import {
  postedInBase,
  postedInOrderCurrency,
  type CreditMemoRequest,
  type RefundableOrder,
} from '../../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { aRequest, type SoldLine, type SoldOrder } from '../../../support/builders/refundable-order.ts';
import { aCent } from '../../../support/coins.ts';

export const cents = (max: number) => fc.integer({ min: 0, max }).map((count) => amount(count * aCent));
const percentOf = (whole: Amount, percent: number) => scale(whole, Math.round(percent * 100), 10_000, aCent);

const soldLine = fc
  .record({
    units: fc.oneof(
      fc.integer({ min: 1, max: 9 }).map((count) => count * 10_000),
      fc.integer({ min: 1, max: 60_000 }),
    ),
    price: cents(20_000),
    discountPercent: fc.constantFrom(0, 0, 5, 10, 33.3, 100),
    taxPercent: fc.constantFrom(0, 5, 8.25, 19, 20),
    hidden: fc.constantFrom(0, 0, 1.5),
    weeePercent: fc.constantFrom(0, 0, 0, 2.5),
  })
  .map(({ units, price, discountPercent, taxPercent, hidden, weeePercent }): SoldLine => {
    const row = scale(price, units, 10_000, aCent);
    const discount = percentOf(row, discountPercent);
    const weee = percentOf(row, weeePercent);
    return {
      qty: quantity(units),
      isQtyDecimal: units % 10_000 !== 0,
      row,
      discount,
      tax: percentOf(subtract(row, discount), taxPercent),
      compensation: percentOf(discount, hidden),
      weee,
      taxOnWeee: percentOf(weee, taxPercent),
    };
  });

export const soldOrder = fc
  .record({
    lines: fc.array(soldLine, { minLength: 1, maxLength: 6 }),
    shipping: fc.oneof(fc.constant(zero), cents(3_000)),
    shippingTaxPercent: fc.constantFrom(0, 8.25, 20),
    shippingDiscountPercent: fc.constantFrom(0, 0, 12.5, 100),
  })
  .map(({ lines, shipping, shippingTaxPercent, shippingDiscountPercent }): SoldOrder => {
    const shippingDiscount = percentOf(shipping, shippingDiscountPercent);
    const shippingTax = percentOf(subtract(shipping, shippingDiscount), shippingTaxPercent);
    return { lines, shipping, shippingTax, shippingDiscount };
  });

/**
 * A part of what is left of each line, in percent; shipping in percent of what was charged, or nothing said about it;
 * and the currency its amounts are given in.
 */
export const part = fc.record({
  takes: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 6, maxLength: 6 }),
  shipping: fc.option(fc.integer({ min: 0, max: 110 }), { nil: undefined }),
  givenIn: fc.constantFrom('base', 'order'),
});
type Part = typeof part extends fc.Arbitrary<infer Value> ? Value : never;

export function requestOf(order: RefundableOrder, { takes, shipping, givenIn }: Part): CreditMemoRequest {
  const items = order.lines.map((line, index) => ({
    orderItemId: line.orderItemId,
    qty: partOf(quantity(line.qtyInvoiced - line.qtyRefunded), takes[index] ?? 0, line.isQtyDecimal),
  }));
  const wanted = { ...aRequest(), givenIn, items };
  if (shipping === undefined) return wanted;
  return { ...wanted, shipping: inBoth(order, scale(order[givenIn].shippingAmount, shipping, 100, aCent), givenIn) };
}

export const inBoth = (order: RefundableOrder, given: Amount, givenIn: Currency) =>
  givenIn === 'base' ? postedInBase(given, order) : postedInOrderCurrency(given, order);

function partOf(left: Quantity, percent: number, isQtyDecimal: boolean): Quantity {
  const exact = Math.floor((left * percent) / 100);
  return quantity(isQtyDecimal ? exact : exact - (exact % 10_000));
}
