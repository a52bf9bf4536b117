import { moneyText } from './currency-texts.ts';
import {
  add,
  coinOf,
  greatest,
  isPositive,
  least,
  scale,
  subtract,
  toCoins,
  toPlain,
  upToCoins,
  zero,
  type Amount,
  type OrderCurrencies,
} from './money.ts';
import { refuseMoneyIn, takenOffByMemo, takesMoney, type Ending, type MemoBeyondMoney } from './platform/placement.ts';
import { refuseFinerThanCoin } from './whole-coins.ts';
import { amountAboveCreditDue, duePaymentNotPositive } from './refusals/money.ts';

/** An order's totals and payments, in its own currency and in the base currency. */
export interface OrderMoney extends OrderCurrencies {
  grandTotal: Amount;
  baseGrandTotal: Amount;
  totalPaid: Amount;
  baseTotalPaid: Amount;
  /** What can never be collected of the grand total: see the order's column. */
  dueTakenOff: Amount;
  baseDueTakenOff: Amount;
}

/** A payment as it is booked, and the order's money after it. */
export interface Taken {
  amount: Amount;
  baseAmount: Amount;
  totalPaid: Amount;
  baseTotalPaid: Amount;
  totalDue: Amount;
}

/**
 * What is still due: in coins, never below zero (platform facts 5.3), without what can never be collected. The order's
 * column is zero also for an order that is over.
 */
export const dueOf = ({
  grandTotal,
  totalPaid,
  dueTakenOff,
  orderCurrencyCode,
}: Pick<OrderMoney, 'grandTotal' | 'totalPaid' | 'dueTakenOff' | 'orderCurrencyCode'>): Amount =>
  greatest(zero, toCoins(subtract(grandTotal, totalPaid, dueTakenOff), coinOf(orderCurrencyCode)));

/**
 * Books a payment in the order's currency, never beyond what is due. An order that is paid in full takes nothing
 * more.
 *
 * The base currency follows in proportion to the grand totals, counted from all that was paid. So the payments of an
 * order add up to its exact totals in both currencies.
 */
export function takeMoney(order: OrderMoney, request: Amount): Taken {
  const amount = greatest(zero, least(request, subtract(order.grandTotal, order.totalPaid, order.dueTakenOff)));
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
  const { grandTotal, baseGrandTotal, baseTotalPaid, baseCurrencyCode, dueTakenOff, baseDueTakenOff } = order;
  if (totalPaid === subtract(grandTotal, dueTakenOff)) {
    return greatest(baseTotalPaid, subtract(baseGrandTotal, baseDueTakenOff));
  }
  const inProportion = scale(baseGrandTotal, totalPaid, grandTotal, coinOf(baseCurrencyCode));
  return least(baseGrandTotal, greatest(baseTotalPaid, inProportion));
}

/** An order whose goods were handed over on credit. */
export interface OrderOnCredit extends OrderMoney, Ending {
  /** Null: no credit was granted. */
  creditDue: Amount | null;
  /** What the goods are worth that came back, or were never handed over. */
  goodsBack: Amount;
}

export interface DuePayment extends Taken {
  /** The rest of the credit that was granted. */
  creditDue: Amount;
  /** The lower of `creditDue` and what the order still owes. */
  remainingDue: Amount;
}

/**
 * What may still be collected: the lowest of the credit due, of what the order owes (spec 4.6), and of what the goods
 * are worth that are still out. Nothing of an order that is over: see `refuseMoneyIn`.
 */
export const remainingDueOf = (
  order: Omit<OrderOnCredit, 'baseGrandTotal' | 'baseTotalPaid' | 'baseDueTakenOff' | 'baseCurrencyCode'>,
): Amount => (takesMoney(order) ? least(order.creditDue ?? zero, dueOf(order), goodsOutOf(order)) : zero);

const goodsOutOf = ({ grandTotal, goodsBack }: Pick<OrderOnCredit, 'grandTotal' | 'goodsBack'>): Amount =>
  greatest(zero, subtract(grandTotal, goodsBack));

/** A credit memo of an order on credit, with the order's money before it, in the order's currency. */
export interface MemoOnCredit extends MemoBeyondMoney {
  creditDue: Amount;
}

/** The credit that is still due after goods came back: without what the memo takes off (`takenOffByMemo`). */
export const creditDueAfterMemo = ({ creditDue, ...memo }: MemoOnCredit): Amount =>
  greatest(zero, subtract(creditDue, takenOffByMemo(memo)));

/** The line in the order's history. */
export const dueFellComment = (fall: { before: Amount; after: Amount; memoNumber: string; currencyCode: string }) =>
  `Credit due fell from ${moneyText(fall.before, fall.currencyCode)} to ${moneyText(fall.after, fall.currencyCode)}: the goods of credit memo ${fall.memoNumber} were not paid yet.`;

/**
 * Collects credit due (spec 4.6), in coins of the order's currency. A last fraction of a coin is collected with it,
 * or rounded up to a coin.
 *
 * Refused with: 400 an amount that is not above zero, finer than a coin, or above what is due; an order that is over.
 */
export function collect(order: OrderOnCredit, input: Amount): DuePayment {
  const coin = coinOf(order.orderCurrencyCode);
  const amount = toCoins(input, coin);
  if (!isPositive(amount)) throw duePaymentNotPositive();
  refuseMoneyIn(order);
  const remaining = remainingDueOf(order);
  // An order may be saved with a due that has a part of a coin: the due that the register receives can be collected.
  if (input !== remaining) refuseFinerThanCoin(input, order.orderCurrencyCode);
  if (amount > upToCoins(remaining, coin)) throw amountAboveCreditDue([toPlain(amount), toPlain(remaining)]);
  const taken = takeMoney(order, least(amount, order.creditDue ?? zero));
  const creditDue = subtract(order.creditDue ?? zero, taken.amount);
  return { ...taken, creditDue, remainingDue: least(creditDue, taken.totalDue, goodsOutOf(order)) };
}

/** The comment in the order's history. */
export const dueComment = (
  payment: DuePayment,
  { reference, currencyCode }: { reference: string; currencyCode: string },
) =>
  `Credit due of ${moneyText(payment.amount, currencyCode)} was collected, reference ${reference}. Still due: ${moneyText(payment.remainingDue, currencyCode)}.`;

/** The comment for a repeated reference with another amount: the first booking stays. */
export const otherAmountComment = (repeat: {
  asked: Amount;
  booked: Amount;
  reference: string;
  currencyCode: string;
}) =>
  `Reference ${repeat.reference} came again with ${moneyText(repeat.asked, repeat.currencyCode)}; the ${moneyText(repeat.booked, repeat.currencyCode)} booked under it stand.`;
