import { add, greatest, isPositive, least, scale, subtract, zero, type Amount } from '../money/amount.ts';
import { coinOf, toCoins, type OrderCurrencies } from '../money/coins.ts';

/** An order's totals and payments, in its own currency and in the base currency. */
export interface OrderMoney extends OrderCurrencies {
  grandTotal: Amount;
  baseGrandTotal: Amount;
  totalPaid: Amount;
  baseTotalPaid: Amount;
}

/** A payment as it is booked, and the order's money after it. */
export interface Taken {
  amount: Amount;
  baseAmount: Amount;
  totalPaid: Amount;
  baseTotalPaid: Amount;
  totalDue: Amount;
}

/** What is still due, as the platform computes it: in coins, never below zero (platform facts 5.3). */
export const dueOf = ({
  grandTotal,
  totalPaid,
  orderCurrencyCode,
}: Pick<OrderMoney, 'grandTotal' | 'totalPaid' | 'orderCurrencyCode'>): Amount =>
  greatest(zero, toCoins(subtract(grandTotal, totalPaid), coinOf(orderCurrencyCode)));

/**
 * Books a payment in the order's currency, never beyond the grand total. An order that is paid in full takes nothing
 * more.
 *
 * The base currency follows in proportion to the grand totals, counted from all that was paid. So the payments of an
 * order add up to its exact totals in both currencies.
 */
export function takeMoney(order: OrderMoney, asked: Amount): Taken {
  const amount = greatest(zero, least(asked, subtract(order.grandTotal, order.totalPaid)));
  const totalPaid = add(order.totalPaid, amount);
  const baseTotalPaid = isPositive(amount) ? basePaid(order, totalPaid) : order.baseTotalPaid;
  return {
    amount,
    baseAmount: subtract(baseTotalPaid, order.baseTotalPaid),
    totalPaid,
    baseTotalPaid,
    totalDue: dueOf({ ...order, totalPaid }),
  };
}

function basePaid(order: OrderMoney, totalPaid: Amount): Amount {
  const { grandTotal, baseGrandTotal, baseTotalPaid, baseCurrencyCode } = order;
  if (totalPaid === grandTotal) return baseGrandTotal;
  const inProportion = scale(baseGrandTotal, totalPaid, grandTotal, coinOf(baseCurrencyCode));
  return least(baseGrandTotal, greatest(baseTotalPaid, inProportion));
}
