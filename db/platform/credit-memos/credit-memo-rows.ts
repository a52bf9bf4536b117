import { zero } from '../../../domain/money/amount.ts';
import type { CreditMemoFigures, MemoLine } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import type { OrderLine } from '../orders/lock-order.ts';

/** A credit memo's figures as its columns have them: the order's currency, and base beside it. */

export const memoMoney = ({ order: own, base, baseCost }: CreditMemoFigures) => ({
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
  adjustmentPositive: own.adjustmentPositive,
  baseAdjustmentPositive: base.adjustmentPositive,
  adjustmentNegative: own.adjustmentNegative,
  baseAdjustmentNegative: base.adjustmentNegative,
  adjustment: own.adjustment,
  baseAdjustment: base.adjustment,
  grandTotal: own.grandTotal,
  baseGrandTotal: base.grandTotal,
  baseCost,
});

export const memoItemMoney = (line: OrderLine, { order: own, base }: MemoLine) => ({
  price: line.price,
  basePrice: line.basePrice,
  priceInclTax: line.priceInclTax ?? zero,
  basePriceInclTax: line.basePriceInclTax ?? zero,
  baseCost: line.baseCost ?? null,
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
