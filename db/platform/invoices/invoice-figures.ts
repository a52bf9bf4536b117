import type { Currency } from '../../../domain/money/in-both.ts';
import { moneyOf, twin, twins } from '../../../domain/money/twins.ts';
import type { ChosenLine } from '../../../domain/platform/document-lines.ts';
import type { InvoiceableHeader, InvoiceableLine } from '../../../domain/platform/invoice-totals.ts';
import { taxOnWeee } from '../orders/tax-on-weee.ts';
import type { OrderLine, OrderRow } from '../orders/lock-order.ts';
import { shippingDiscountTaxCompensation, weeeOfRow } from '../orders/registers.ts';

const headerFigures = {
  ...twins('subtotal', 'subtotalInvoiced', 'subtotalInclTax', 'grandTotal', 'totalInvoiced', 'discountInvoiced'),
  ...twins('shippingAmount', 'shippingInclTax', 'shippingInvoiced', 'shippingTaxAmount', 'shippingDiscountAmount'),
  ...twins('taxAmount', 'taxInvoiced', 'discountTaxCompensationAmount', 'discountTaxCompensationInvoiced'),
  shippingDiscountTaxCompensationAmount: shippingDiscountTaxCompensation,
};

const lineFigures = {
  ...twins('rowTotal', 'rowInvoiced', 'rowTotalInclTax', 'taxAmount', 'taxInvoiced', 'discountAmount'),
  ...twins('discountInvoiced', 'discountTaxCompensationAmount', 'discountTaxCompensationInvoiced'),
  weeeAmount: weeeOfRow,
  weeeInvoiced: twin('weeeTaxAmountInvoiced'),
};

/** An order and its lines as an invoice sees them, in one currency. */
export function invoiceFigures(
  order: OrderRow,
  chosen: readonly ChosenLine<OrderLine>[],
  currency: Currency,
): { header: InvoiceableHeader; lines: InvoiceableLine[] } {
  return {
    header: moneyOf(order, headerFigures, currency),
    lines: chosen.map(({ line, qty }) => ({
      quantities: line,
      qty,
      money: { ...moneyOf(line, lineFigures, currency), taxOnWeeeRow: taxOnWeee(line.weeeTaxApplied, currency) },
    })),
  };
}
