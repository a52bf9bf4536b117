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
 * A balance that covers everything pays exactly what is due in both currencies. Else it is what the balance is worth in
 * the cart's currency, never so much that it would come to more than the balance when it is counted back.
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
 * Whether the wallet still pays what its owner saw when the credit was applied: a balance that has grown does, and so does
 * a smaller one that covers the cart all the same.
 */
export const stillPays = (balance: Amount, seen: Amount, baseDue: Amount) => balance >= least(seen, baseDue);
