import { amount, cent, isPositive, least, subtract, zero, type Amount } from '../money/amount.ts';
import { givenInBase, givenInOrderCurrency } from '../platform/credit-memo-currencies.ts';

/** What a cart comes to, or what of it credit pays, in both currencies. */
export interface InBoth {
  baseAmount: Amount;
  amount: Amount;
}

/**
 * How much store credit a cart can absorb: the balance, capped at the cart's total (spec 4.11), in whole cents.
 *
 * A balance that covers everything pays exactly what is due in both currencies. Else it is what the balance is worth in
 * the cart's currency, never so much that it would come to more than the balance when it is counted back.
 *
 * @param currencyRate one unit of the base currency in the cart's, as decimal text
 */
export function absorbed(balance: Amount, due: InBoth, currencyRate: string): InBoth {
  if (balance >= due.baseAmount) return due;
  const spendable = amount(balance - (balance % cent));
  let part = least(givenInBase(spendable, currencyRate).order, subtract(due.amount, amount(cent)));
  while (isPositive(part) && givenInOrderCurrency(part, currencyRate).base > spendable)
    part = subtract(part, amount(cent));
  if (!isPositive(part)) return { baseAmount: zero, amount: zero };
  return { baseAmount: givenInOrderCurrency(part, currencyRate).base, amount: part };
}

/**
 * Whether the wallet still pays what its owner saw when the credit was applied: a balance that has grown does, and so does
 * a smaller one that covers the cart all the same.
 */
export const stillPays = (balance: Amount, seen: Amount, baseDue: Amount) => balance >= least(seen, baseDue);
