import { amount, isPositive, least, subtract, zero, type Amount } from '../money/amount.ts';
import { coinsOf, downToCoins } from '../money/coins.ts';
import {
  givenInBase,
  givenInOrderCurrency,
  type RatedCurrencies,
} from '../platform/credit-memos/credit-memo-currencies.ts';

/** What a cart comes to, or what of it credit pays, in both currencies. */
export interface CartMoney {
  baseAmount: Amount;
  amount: Amount;
}

/**
 * How much store credit a cart can absorb: the balance, capped at the cart's total (spec 4.11), in coins of each currency.
 *
 * A balance that covers everything pays exactly the amount due in both currencies. Otherwise it pays its value in the
 * cart's currency, which never exceeds the balance when converted back.
 */
export function absorbed(balance: Amount, due: CartMoney, rated: RatedCurrencies): CartMoney {
  if (balance >= due.baseAmount) return due;
  const coins = coinsOf(rated);
  const oneCoin = amount(coins.order);
  const spendable = downToCoins(balance, coins.base);
  let part = downToCoins(least(givenInBase(spendable, rated).order, subtract(due.amount, oneCoin)), coins.order);
  while (isPositive(part) && givenInOrderCurrency(part, rated).base > spendable) part = subtract(part, oneCoin);
  if (!isPositive(part)) return { baseAmount: zero, amount: zero };
  return { baseAmount: givenInOrderCurrency(part, rated).base, amount: part };
}

/**
 * Whether the wallet still pays what the customer saw when the credit was applied. A larger balance does, and so does
 * a smaller one that still covers the cart.
 */
export const stillPays = (balance: Amount, seen: Amount, baseDue: Amount) => balance >= least(seen, baseDue);
