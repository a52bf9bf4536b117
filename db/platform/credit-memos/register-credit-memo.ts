import { add, subtract, type Amount } from '../../../domain/money/amount.ts';
import { coinsOf, toCoins, type Coin } from '../../../domain/money/coins.ts';
import { inBoth } from '../../../domain/money/in-both.ts';
import { plus } from '../../../domain/money/quantity.ts';
import { countMoney, twin } from '../../../domain/money/twins.ts';
import type { CreditMemoFigures } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { type LockedOrder } from '../orders/lock-order.ts';
import { refunded } from '../orders/registers.ts';

/** Adds a credit memo to the refunded totals of its order, its lines and its payment (platform facts 7.5). */
export function registerCreditMemo(order: LockedOrder, memo: CreditMemoFigures, isOnline: boolean): void {
  const lines = new Map(order.lines.map((line) => [line.itemId, line]));
  for (const item of memo.lines) {
    const line = lines.get(item.orderItemId);
    if (!line) continue;
    line.qtyRefunded = plus(line.qtyRefunded, item.qty);
    countMoney(line, refunded.line, item);
  }
  registerTotals(order, memo, isOnline);
  countMoney(order, refunded.order, memo);
  countMoney(order.payment, refunded.payment, memo);
  order.baseTotalInvoicedCost = subtract(order.baseTotalInvoicedCost, memo.baseCost);
}

const totalRefunded = twin('totalRefunded');

/** The total paid stays as it is: a refund never lowers it. */
function registerTotals(order: LockedOrder, memo: CreditMemoFigures, isOnline: boolean): void {
  const coins = coinsOf(order);
  const total = inBoth((currency) => ({
    total: increase(order[totalRefunded[currency]], memo[currency].grandTotal, coins[currency]),
  }));
  countMoney(order, { total: totalRefunded }, total);
  if (isOnline) countMoney(order, { total: twin('totalOnlineRefunded') }, total);
  else countMoney(order, { total: twin('totalOfflineRefunded') }, total);
  countMoney(order.payment, { total: twin('amountRefunded') }, total);
}

/** Totals are kept in coins, as the platform keeps them to two decimals (platform facts 7.5). */
const increase = (refundedBefore: Amount, grandTotal: Amount, coin: Coin): Amount =>
  subtract(toCoins(add(refundedBefore, grandTotal), coin), refundedBefore);
