import { add, roundToCents, subtract, zero } from '../money/amount.ts';
import type {
  Currency,
  LineRegisters,
  OrderRegisters,
  RefundableLine,
  RefundableOrder,
} from './credit-memo-figures.ts';

/**
 * The same order in whole cents. Registers may post figures finer than that, but money is paid in cents: each line gets
 * the cents by which the sum up to it grows, so that the lines still add up to the order's totals.
 *
 * Our choice. The platform gives the finer rest back with the last of a line, and after some rounding refuses the last
 * refund of the order for a cent too much. An order in cents comes out as it went in.
 */
export function inCents(order: RefundableOrder): RefundableOrder {
  const base = linesInCents(order.lines, 'base');
  const own = linesInCents(order.lines, 'order');
  return {
    ...order,
    lines: order.lines.map((line, index) => ({
      ...line,
      base: base[index] ?? line.base,
      order: own[index] ?? line.order,
    })),
    base: headerInCents(order.base),
    order: headerInCents(order.order),
  };
}

const lineFigures = [
  'rowInvoiced',
  'rowTotalInclTax',
  'discountInvoiced',
  'taxInvoiced',
  'discountTaxCompensationInvoiced',
  'weeeRow',
  'weeeInvoiced',
  'taxOnWeeeRow',
] as const satisfies readonly (keyof LineRegisters)[];

function linesInCents(lines: readonly RefundableLine[], currency: Currency): LineRegisters[] {
  const rounded = lines.map((line) => ({ ...line[currency] }));
  for (const figure of lineFigures) {
    let sum = zero;
    for (const line of rounded) {
      const before = roundToCents(sum);
      sum = add(sum, line[figure]);
      line[figure] = subtract(roundToCents(sum), before);
    }
  }
  return rounded;
}

const headerInCents = (header: OrderRegisters): OrderRegisters => ({
  ...header,
  taxInvoiced: roundToCents(header.taxInvoiced),
  discountTaxCompensationInvoiced: roundToCents(header.discountTaxCompensationInvoiced),
  shippingAmount: roundToCents(header.shippingAmount),
  shippingTaxAmount: roundToCents(header.shippingTaxAmount),
  shippingDiscountAmount: roundToCents(header.shippingDiscountAmount),
  shippingDiscountTaxCompensationAmount: roundToCents(header.shippingDiscountTaxCompensationAmount),
});
