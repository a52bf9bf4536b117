import { add, subtract, type Amount } from '../../../domain/money/amount.ts';
import { coinsOf, toCoins, type Coin } from '../../../domain/money/coins.ts';
import { plus } from '../../../domain/money/quantity.ts';
import type {
  CreditMemoFigures,
  MemoLine,
  MemoTotals,
} from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { type LockedOrder, type OrderLine } from '../orders/lock-order.ts';

/** Writes a credit memo into the registers of its order, its lines and its payment (platform facts 7.5). */
export function registerCreditMemo(order: LockedOrder, memo: CreditMemoFigures, isOnline: boolean): void {
  const lines = new Map(order.lines.map((line) => [line.itemId, line]));
  for (const item of memo.lines) {
    const line = lines.get(item.orderItemId);
    if (line) registerLine(line, item);
  }
  registerTotals(order, memo, isOnline);
  registerParts(order, memo.order);
  registerBaseParts(order, memo.base);
  order.baseTotalInvoicedCost = subtract(order.baseTotalInvoicedCost, memo.baseCost);
}

function registerLine(line: OrderLine, { qty, order: own, base }: MemoLine): void {
  line.qtyRefunded = plus(line.qtyRefunded, qty);
  line.amountRefunded = add(line.amountRefunded, own.rowTotal);
  line.baseAmountRefunded = add(line.baseAmountRefunded, base.rowTotal);
  line.taxRefunded = add(line.taxRefunded, own.taxAmount);
  line.baseTaxRefunded = add(line.baseTaxRefunded, base.taxAmount);
  line.discountRefunded = add(line.discountRefunded, own.discountAmount);
  line.baseDiscountRefunded = add(line.baseDiscountRefunded, base.discountAmount);
  line.discountTaxCompensationRefunded = add(line.discountTaxCompensationRefunded, own.discountTaxCompensationAmount);
  line.baseDiscountTaxCompensationRefunded = add(
    line.baseDiscountTaxCompensationRefunded,
    base.discountTaxCompensationAmount,
  );
  line.weeeTaxAmountRefunded = add(line.weeeTaxAmountRefunded, own.weeeTaxAppliedRowAmount);
  line.baseWeeeTaxAmountRefunded = add(line.baseWeeeTaxAmountRefunded, base.weeeTaxAppliedRowAmount);
}

/** What was paid stays as it is: a refund never lowers it. */
function registerTotals(order: LockedOrder, memo: CreditMemoFigures, isOnline: boolean): void {
  const coins = coinsOf(order);
  const own = increase(order.totalRefunded, memo.order.grandTotal, coins.order);
  const base = increase(order.baseTotalRefunded, memo.base.grandTotal, coins.base);
  order.totalRefunded = add(order.totalRefunded, own);
  order.baseTotalRefunded = add(order.baseTotalRefunded, base);
  if (isOnline) {
    order.totalOnlineRefunded = add(order.totalOnlineRefunded, own);
    order.baseTotalOnlineRefunded = add(order.baseTotalOnlineRefunded, base);
  } else {
    order.totalOfflineRefunded = add(order.totalOfflineRefunded, own);
    order.baseTotalOfflineRefunded = add(order.baseTotalOfflineRefunded, base);
  }
  const payment = order.payment;
  payment.amountRefunded = add(payment.amountRefunded, own);
  payment.baseAmountRefunded = add(payment.baseAmountRefunded, base);
  payment.shippingRefunded = add(payment.shippingRefunded, memo.order.shippingAmount);
  payment.baseShippingRefunded = add(payment.baseShippingRefunded, memo.base.shippingAmount);
}

/** Totals are kept in coins, as the platform keeps them to two decimals (platform facts 7.5). */
const increase = (refunded: Amount, grandTotal: Amount, coin: Coin): Amount =>
  subtract(toCoins(add(refunded, grandTotal), coin), refunded);

/** The order's discount register counts the memo's negative discount, as the platform's does. */
function registerParts(order: LockedOrder, memo: MemoTotals): void {
  order.subtotalRefunded = add(order.subtotalRefunded, memo.subtotal);
  order.taxRefunded = add(order.taxRefunded, memo.taxAmount);
  order.discountRefunded = add(order.discountRefunded, memo.discountAmount);
  order.discountTaxCompensationRefunded = add(
    order.discountTaxCompensationRefunded,
    memo.discountTaxCompensationAmount,
  );
  order.shippingRefunded = add(order.shippingRefunded, memo.shippingAmount);
  order.shippingTaxRefunded = add(order.shippingTaxRefunded, memo.shippingTaxAmount);
  order.adjustmentPositive = add(order.adjustmentPositive, memo.adjustmentPositive);
  order.adjustmentNegative = add(order.adjustmentNegative, memo.adjustmentNegative);
}

function registerBaseParts(order: LockedOrder, memo: MemoTotals): void {
  order.baseSubtotalRefunded = add(order.baseSubtotalRefunded, memo.subtotal);
  order.baseTaxRefunded = add(order.baseTaxRefunded, memo.taxAmount);
  order.baseDiscountRefunded = add(order.baseDiscountRefunded, memo.discountAmount);
  order.baseDiscountTaxCompensationRefunded = add(
    order.baseDiscountTaxCompensationRefunded,
    memo.discountTaxCompensationAmount,
  );
  order.baseShippingRefunded = add(order.baseShippingRefunded, memo.shippingAmount);
  order.baseShippingTaxRefunded = add(order.baseShippingTaxRefunded, memo.shippingTaxAmount);
  order.baseAdjustmentPositive = add(order.baseAdjustmentPositive, memo.adjustmentPositive);
  order.baseAdjustmentNegative = add(order.baseAdjustmentNegative, memo.adjustmentNegative);
}
