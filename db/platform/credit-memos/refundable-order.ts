import { zero } from '../../../domain/money/amount.ts';
import { inBoth } from '../../../domain/money/in-both.ts';
import { moneyOf, twin, twins } from '../../../domain/money/twins.ts';
import type { RefundableLine, RefundableOrder } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { type LockedOrder, type OrderLine } from '../orders/lock-order.ts';
import { shippingDiscountTaxCompensation, weeeOfRow } from '../orders/registers.ts';
import { taxOnWeee } from '../orders/tax-on-weee.ts';

const orderFigures = {
  ...twins('grandTotal', 'totalInvoiced', 'totalPaid', 'totalRefunded', 'returnedWithoutMemo', 'discountAmount'),
  ...twins('adjustmentPositive', 'adjustmentNegative', 'differenceRefunded', 'taxInvoiced', 'taxRefunded'),
  ...twins('discountTaxCompensationInvoiced', 'discountTaxCompensationRefunded', 'shippingAmount', 'shippingRefunded'),
  ...twins('shippingTaxAmount', 'shippingTaxRefunded', 'shippingDiscountAmount'),
  shippingDiscountTaxCompensationAmount: shippingDiscountTaxCompensation,
};

const lineFigures = {
  ...twins('rowInvoiced', 'amountRefunded', 'rowTotalInclTax', 'discountInvoiced', 'discountRefunded', 'taxInvoiced'),
  ...twins('taxRefunded', 'discountTaxCompensationInvoiced', 'discountTaxCompensationRefunded'),
  weeeRow: weeeOfRow,
  weeeInvoiced: twin('weeeTaxAmountInvoiced'),
  weeeRefunded: twin('weeeTaxAmountRefunded'),
};

/** The figures of an order from which a credit memo is calculated. To book by them, read them under the order lock. */
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
    ...inBoth((currency) => moneyOf(order, orderFigures, currency)),
  };
}

/** A part of a set is neither invoiced nor shipped by itself. */
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
  ...inBoth((currency) => ({
    ...moneyOf(line, lineFigures, currency),
    taxOnWeeeRow: taxOnWeee(line.weeeTaxApplied, currency),
  })),
});
