import { zero } from '../../../domain/money/amount.ts';
import type { ChosenLine } from '../../../domain/platform/document-lines.ts';
import type { InvoiceableHeader, InvoiceableLine } from '../../../domain/platform/invoice-totals.ts';
import type { OrderLine, OrderRow } from '../orders/lock-order.ts';

/** An order and its lines as an invoice sees them, once in each currency. */

export interface InvoiceFigures {
  header: InvoiceableHeader;
  lines: InvoiceableLine[];
}

export const inOrderCurrency = (order: OrderRow, chosen: readonly ChosenLine<OrderLine>[]): InvoiceFigures => ({
  header: order,
  lines: chosen.map(({ line, qty }) => ({
    quantities: line,
    qty,
    money: {
      rowTotal: line.rowTotal,
      rowInvoiced: line.rowInvoiced,
      rowTotalInclTax: line.rowTotalInclTax ?? zero,
      taxAmount: line.taxAmount,
      taxInvoiced: line.taxInvoiced,
      discountAmount: line.discountAmount,
      discountInvoiced: line.discountInvoiced,
      discountTaxCompensationAmount: line.discountTaxCompensationAmount,
      discountTaxCompensationInvoiced: line.discountTaxCompensationInvoiced,
      weeeAmount: line.weeeTaxAppliedRowAmount,
      weeeInvoiced: line.weeeTaxAmountInvoiced,
    },
  })),
});

export const inBaseCurrency = (order: OrderRow, chosen: readonly ChosenLine<OrderLine>[]): InvoiceFigures => ({
  header: {
    subtotal: order.baseSubtotal,
    subtotalInvoiced: order.baseSubtotalInvoiced,
    subtotalInclTax: order.baseSubtotalInclTax,
    shippingAmount: order.baseShippingAmount,
    shippingInclTax: order.baseShippingInclTax,
    shippingInvoiced: order.baseShippingInvoiced,
    shippingTaxAmount: order.baseShippingTaxAmount,
    shippingDiscountAmount: order.baseShippingDiscountAmount,
    shippingDiscountTaxCompensationAmount: order.baseShippingDiscountTaxCompensationAmnt,
    discountInvoiced: order.baseDiscountInvoiced,
    taxAmount: order.baseTaxAmount,
    taxInvoiced: order.baseTaxInvoiced,
    discountTaxCompensationAmount: order.baseDiscountTaxCompensationAmount,
    discountTaxCompensationInvoiced: order.baseDiscountTaxCompensationInvoiced,
    grandTotal: order.baseGrandTotal,
    totalInvoiced: order.baseTotalInvoiced,
  },
  lines: chosen.map(({ line, qty }) => ({
    quantities: line,
    qty,
    money: {
      rowTotal: line.baseRowTotal,
      rowInvoiced: line.baseRowInvoiced,
      rowTotalInclTax: line.baseRowTotalInclTax ?? zero,
      taxAmount: line.baseTaxAmount,
      taxInvoiced: line.baseTaxInvoiced,
      discountAmount: line.baseDiscountAmount,
      discountInvoiced: line.baseDiscountInvoiced,
      discountTaxCompensationAmount: line.baseDiscountTaxCompensationAmount,
      discountTaxCompensationInvoiced: line.baseDiscountTaxCompensationInvoiced,
      weeeAmount: line.baseWeeeTaxAppliedRowAmnt,
      weeeInvoiced: line.baseWeeeTaxAmountInvoiced,
    },
  })),
});
