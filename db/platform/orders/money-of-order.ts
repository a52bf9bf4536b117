import { add, type Amount } from '../../../domain/money/amount.ts';
import { coinsOf, toCoins } from '../../../domain/money/coins.ts';
import { inBoth, type InBoth } from '../../../domain/money/in-both.ts';
import { moneyOf, twins } from '../../../domain/money/twins.ts';
import type { OrderRow } from './lock-order.ts';

const figures = twins('totalPaid', 'totalRefunded', 'returnedWithoutMemo');

/** An order's money in one currency, in its coins. */
export interface OrderMoney {
  paid: Amount;
  /** By credit memos and in any other way. Refunds under way are not included. */
  returned: Amount;
}

/** What was paid for an order and what went back, in each currency. */
export function moneyOfOrder(order: OrderRow): InBoth<OrderMoney> {
  const coins = coinsOf(order);
  return inBoth((currency) => {
    const { totalPaid, totalRefunded, returnedWithoutMemo } = moneyOf(order, figures, currency);
    const inCoins = (value: Amount) => toCoins(value, coins[currency]);
    return { paid: inCoins(totalPaid), returned: add(totalRefunded, inCoins(returnedWithoutMemo)) };
  });
}
