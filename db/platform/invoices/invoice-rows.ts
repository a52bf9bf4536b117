import { zero } from '../../../domain/money/amount.ts';
import type { InvoiceLineMoney, InvoiceTotals } from '../../../domain/platform/invoice-totals.ts';
import type { OrderLine } from '../orders/lock-order.ts';

/** An invoice's figures as its columns have them: the order's currency, and base beside it. */

export interface BothTotals {
  own: InvoiceTotals;
  base: InvoiceTotals;
}

export const invoiceMoney = ({ own, base }: BothTotals) => ({
  subtotal: own.subtotal,
  baseSubtotal: base.subtotal,
  subtotalInclTax: own.subtotalInclTax,
  baseSubtotalInclTax: base.subtotalInclTax,
  discountAmount: own.discountAmount,
  baseDiscountAmount: base.discountAmount,
  shippingAmount: own.shippingAmount,
  baseShippingAmount: base.shippingAmount,
  shippingInclTax: own.shippingInclTax,
  baseShippingInclTax: base.shippingInclTax,
  shippingTaxAmount: own.shippingTaxAmount,
  baseShippingTaxAmount: base.shippingTaxAmount,
  taxAmount: own.taxAmount,
  baseTaxAmount: base.taxAmount,
  discountTaxCompensationAmount: own.discountTaxCompensationAmount,
  baseDiscountTaxCompensationAmount: base.discountTaxCompensationAmount,
  grandTotal: own.grandTotal,
  baseGrandTotal: base.grandTotal,
});

export const invoiceItemMoney = (line: OrderLine, own: InvoiceLineMoney, base: InvoiceLineMoney) => ({
  price: line.price,
  basePrice: line.basePrice,
  priceInclTax: line.priceInclTax ?? zero,
  basePriceInclTax: line.basePriceInclTax ?? zero,
  rowTotal: own.rowTotal,
  baseRowTotal: base.rowTotal,
  rowTotalInclTax: own.rowTotalInclTax,
  baseRowTotalInclTax: base.rowTotalInclTax,
  taxAmount: own.taxAmount,
  baseTaxAmount: base.taxAmount,
  discountAmount: own.discountAmount,
  baseDiscountAmount: base.discountAmount,
  discountTaxCompensationAmount: own.discountTaxCompensationAmount,
  baseDiscountTaxCompensationAmount: base.discountTaxCompensationAmount,
  weeeTaxAppliedRowAmount: own.weeeTaxAppliedRowAmount,
  baseWeeeTaxAppliedRowAmount: base.weeeTaxAppliedRowAmount,
});
