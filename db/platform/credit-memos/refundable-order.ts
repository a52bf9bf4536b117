import { zero } from '../../../domain/money/amount.ts';
import type {
  LineRegisters,
  OrderRegisters,
  RefundableLine,
  RefundableOrder,
} from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { type LockedOrder, type OrderLine, type OrderRow } from '../orders/lock-order.ts';
import { taxOnWeee } from './tax-on-weee.ts';

/** The plain figures of an order that a credit memo is worked out from. Read under the order lock to book by them. */
export function refundableOrder(order: LockedOrder): RefundableOrder {
  const lines = order.lines;
  return {
    state: order.state,
    status: order.status,
    isLayawayCancelled: order.posLayawayStatus === 'cancelled',
    baseCurrencyCode: order.baseCurrencyCode,
    orderCurrencyCode: order.orderCurrencyCode,
    baseToOrderRate: order.baseToOrderRate,
    basePendingRefund: order.basePendingRefund,
    pendingMemos: order.pendingMemos ?? [],
    lines: lines.filter(isOwnLine).map(lineOf),
    partIds: lines.filter((line) => !isOwnLine(line)).map((line) => line.itemId),
    base: baseRegisters(order),
    order: ownRegisters(order),
  };
}

/** A part of a set is neither invoiced nor handed over by itself. */
const isOwnLine = (line: OrderLine) => line.parentItemId == null;

const lineOf = (line: OrderLine): RefundableLine => ({
  orderItemId: line.itemId,
  sku: line.sku,
  name: line.name ?? line.sku,
  qtyOrdered: line.qtyOrdered,
  qtyInvoiced: line.qtyInvoiced,
  qtyRefunded: line.qtyRefunded,
  isQtyDecimal: line.isQtyDecimal,
  baseCost: line.baseCost ?? zero,
  base: baseLineRegisters(line),
  order: ownLineRegisters(line),
});

const ownRegisters = (order: OrderRow): OrderRegisters => ({
  grandTotal: order.grandTotal,
  totalPaid: order.totalPaid,
  totalRefunded: order.totalRefunded,
  returnedWithoutMemo: order.returnedWithoutMemo,
  taxInvoiced: order.taxInvoiced,
  taxRefunded: order.taxRefunded,
  discountTaxCompensationInvoiced: order.discountTaxCompensationInvoiced,
  discountTaxCompensationRefunded: order.discountTaxCompensationRefunded,
  shippingAmount: order.shippingAmount,
  shippingRefunded: order.shippingRefunded,
  shippingTaxAmount: order.shippingTaxAmount,
  shippingTaxRefunded: order.shippingTaxRefunded,
  shippingDiscountAmount: order.shippingDiscountAmount,
  shippingDiscountTaxCompensationAmount: order.shippingDiscountTaxCompensationAmount,
});

const baseRegisters = (order: OrderRow): OrderRegisters => ({
  grandTotal: order.baseGrandTotal,
  totalPaid: order.baseTotalPaid,
  totalRefunded: order.baseTotalRefunded,
  returnedWithoutMemo: order.baseReturnedWithoutMemo,
  taxInvoiced: order.baseTaxInvoiced,
  taxRefunded: order.baseTaxRefunded,
  discountTaxCompensationInvoiced: order.baseDiscountTaxCompensationInvoiced,
  discountTaxCompensationRefunded: order.baseDiscountTaxCompensationRefunded,
  shippingAmount: order.baseShippingAmount,
  shippingRefunded: order.baseShippingRefunded,
  shippingTaxAmount: order.baseShippingTaxAmount,
  shippingTaxRefunded: order.baseShippingTaxRefunded,
  shippingDiscountAmount: order.baseShippingDiscountAmount,
  shippingDiscountTaxCompensationAmount: order.baseShippingDiscountTaxCompensationAmnt,
});

const ownLineRegisters = (line: OrderLine): LineRegisters => ({
  rowInvoiced: line.rowInvoiced,
  amountRefunded: line.amountRefunded,
  rowTotalInclTax: line.rowTotalInclTax ?? zero,
  discountInvoiced: line.discountInvoiced,
  discountRefunded: line.discountRefunded,
  taxInvoiced: line.taxInvoiced,
  taxRefunded: line.taxRefunded,
  discountTaxCompensationInvoiced: line.discountTaxCompensationInvoiced,
  discountTaxCompensationRefunded: line.discountTaxCompensationRefunded,
  weeeRow: line.weeeTaxAppliedRowAmount,
  weeeInvoiced: line.weeeTaxAmountInvoiced,
  weeeRefunded: line.weeeTaxAmountRefunded,
  taxOnWeeeRow: taxOnWeee(line.weeeTaxApplied, 'order'),
});

const baseLineRegisters = (line: OrderLine): LineRegisters => ({
  rowInvoiced: line.baseRowInvoiced,
  amountRefunded: line.baseAmountRefunded,
  rowTotalInclTax: line.baseRowTotalInclTax ?? zero,
  discountInvoiced: line.baseDiscountInvoiced,
  discountRefunded: line.baseDiscountRefunded,
  taxInvoiced: line.baseTaxInvoiced,
  taxRefunded: line.baseTaxRefunded,
  discountTaxCompensationInvoiced: line.baseDiscountTaxCompensationInvoiced,
  discountTaxCompensationRefunded: line.baseDiscountTaxCompensationRefunded,
  weeeRow: line.baseWeeeTaxAppliedRowAmnt,
  weeeInvoiced: line.baseWeeeTaxAmountInvoiced,
  weeeRefunded: line.baseWeeeTaxAmountRefunded,
  taxOnWeeeRow: taxOnWeee(line.weeeTaxApplied, 'base'),
});
