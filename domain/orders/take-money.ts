import { add, greatest, isPositive, least, roundToCents, scale, subtract, zero, type Amount } from '../money/amount.ts';

/** What an order is worth and what was paid for it, in its own currency and in the base currency. */
export interface OrderMoney {
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

/** What is still due, as the platform works it out: to the cent, never below nothing (platform facts 5.3). */
export const dueOf = ({ grandTotal, totalPaid }: Pick<OrderMoney, 'grandTotal' | 'totalPaid'>): Amount =>
  greatest(zero, roundToCents(subtract(grandTotal, totalPaid)));

/**
 * Books a payment in the order's currency, never beyond the grand total; what is paid already takes nothing.
 *
 * The base currency follows in proportion to the grand totals, counted from all that was paid, so that the payments of an
 * order add up to its exact totals in both.
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
    totalDue: dueOf({ grandTotal: order.grandTotal, totalPaid }),
  };
}

function basePaid({ grandTotal, baseGrandTotal, baseTotalPaid }: OrderMoney, totalPaid: Amount): Amount {
  if (totalPaid === grandTotal) return baseGrandTotal;
  return least(baseGrandTotal, greatest(baseTotalPaid, scale(baseGrandTotal, totalPaid, grandTotal)));
}
