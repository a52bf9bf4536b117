import {
  add,
  amount,
  coinOf,
  coinsOf,
  downToCoins,
  isInCoins,
  isPositive,
  least,
  minorDigits,
  money,
  negate,
  subtract,
  toPlain,
  zero,
  type Amount,
} from './money.ts';
import {
  postedInBase,
  postedInOrderCurrency,
  type RatedCurrencies,
} from './platform/credit-memos/credit-memo-figures.ts';
import {
  adjustmentIsZero,
  adjustmentReasonRequired,
  amountNotPositive,
  balanceBelowZero,
  balanceCurrencyMismatch,
  balanceTooHigh,
  finerThanCoin,
} from './refusals/money.ts';

/** What a cart comes to, or what of it credit pays, in both currencies. */
export interface CartMoney {
  baseAmount: Amount;
  amount: Amount;
}

/**
 * How much store credit a cart can absorb: the balance, capped at the cart's total (spec 4.11), in coins of each
 * currency.
 *
 * A balance that covers everything pays exactly the amount due in both currencies. Otherwise it pays its value in the
 * cart's currency, which never exceeds the balance when converted back.
 */
export function absorbed(balance: Amount, due: CartMoney, rated: RatedCurrencies): CartMoney {
  if (balance >= due.baseAmount) return due;
  const coins = coinsOf(rated);
  const oneCoin = amount(coins.order);
  const spendable = downToCoins(balance, coins.base);
  let part = downToCoins(least(postedInBase(spendable, rated).order, subtract(due.amount, oneCoin)), coins.order);
  while (isPositive(part) && postedInOrderCurrency(part, rated).base > spendable) part = subtract(part, oneCoin);
  if (!isPositive(part)) return { baseAmount: zero, amount: zero };
  return { baseAmount: postedInOrderCurrency(part, rated).base, amount: part };
}

/**
 * Whether the wallet still pays what the customer saw when the credit was applied. A larger balance does, and so does
 * a smaller one that still covers the cart.
 */
export const stillPays = (balance: Amount, seen: Amount, baseDue: Amount) => balance >= least(seen, baseDue);

/**
 * What moved a wallet, and the number it has on the wire as `event_type` (spec 2.17).
 *
 * The interface defines 1 as a credit. The others are our choice: 2 is a debit, 3 an adjustment of either sign.
 */
export const eventTypes = { credit: 1, debit: 2, adjustment: 3 } as const;
export type Operation = keyof typeof eventTypes;

/** The actor shown in the history's column By: an administrator, or the user of an integration's token. */
export interface WalletActor {
  adminUserId?: number;
  apiUser?: { type: string; id: number };
}

/** A requested change of a wallet: `amount` is signed for an adjustment, and above zero for the others. */
export interface WalletChange {
  operation: Operation;
  amount: Amount;
  reason: string;
}

export interface Wallet {
  balance: Amount;
  /** The website's currency at the first entry; it never changes. */
  currencyCode: string;
}

export interface LedgerEntry {
  delta: Amount;
  balanceAfter: Amount;
}

/** Above any real balance, and still exact as a JSON number with four decimals: our choice. */
export const highestBalance = money('9999999999.9999');

/**
 * The signed movement of a change: below zero for a debit.
 *
 * Refused with 400: a credit or debit that is not above zero, an adjustment of zero, a blank reason (spec 4.11, 7).
 */
export function deltaOf({ operation, amount, reason }: WalletChange): Amount {
  if (operation !== 'adjustment' && !isPositive(amount)) throw amountNotPositive();
  if (amount === zero) throw adjustmentIsZero();
  if (reason.trim() === '') throw adjustmentReasonRequired();
  return operation === 'debit' ? negate(amount) : amount;
}

/**
 * The next entry of a ledger, from its balance and the movement.
 *
 * @param currencyCode the website's present base currency
 *
 * Refused with 400: a currency other than the balance's, a balance below zero or above `highestBalance`.
 */
export function nextEntry(wallet: Wallet, delta: Amount, currencyCode: string): LedgerEntry {
  if (currencyCode !== wallet.currencyCode) throw balanceCurrencyMismatch([wallet.currencyCode, currencyCode]);
  // Compared before adding: the sum of the two largest amounts would overflow.
  if (delta > subtract(highestBalance, wallet.balance))
    throw balanceTooHigh([toPlain(highestBalance), toPlain(wallet.balance), toPlain(delta)]);
  const balanceAfter = add(wallet.balance, delta);
  if (balanceAfter < 0) throw balanceBelowZero([toPlain(wallet.balance), toPlain(delta)]);
  return { delta, balanceAfter };
}

/**
 * Less than a coin can be neither spent nor shown. A balance that is finer already, of an earlier time, may be moved to
 * whole coins.
 *
 * Refused with 400: a movement finer than the smallest coin of the currency.
 */
export function refuseFinerThanCoins({ delta, balanceAfter }: LedgerEntry, currencyCode: string): void {
  const coin = coinOf(currencyCode);
  if (isInCoins(delta, coin) || isInCoins(balanceAfter, coin)) return;
  throw finerThanCoin([toPlain(delta), currencyCode, minorDigits(currencyCode)]);
}
