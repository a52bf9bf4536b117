import { invalid } from '../errors.ts';
import { add, type Amount, isPositive, money, negate, subtract, toPlain, zero } from '../money/amount.ts';

/**
 * What moved a wallet, and the number it has on the wire as `event_type` (spec 2.17).
 *
 * The interface says that 1 is a credit; the others are our choice: 2 a debit, 3 an adjustment, whichever way it goes.
 */
export const eventTypes = { credit: 1, debit: 2, adjustment: 3 } as const;
export type Operation = keyof typeof eventTypes;

/** Who did it, as the history's column By shows it: an administrator, or the user of an integration's token. */
export interface WalletActor {
  adminUserId?: number;
  apiUser?: { type: string; id: number };
}

/** What somebody wants done to a wallet: `amount` is signed for an adjustment, and above zero for the others. */
export interface WalletChange {
  operation: Operation;
  amount: Amount;
  reason: string;
}

export interface Wallet {
  balance: Amount;
  /** Of the website when the first entry was made, for ever. */
  currencyCode: string;
}

export interface LedgerEntry {
  delta: Amount;
  balanceAfter: Amount;
}

/** Beyond any customer's credit, and still exact as a number of JSON with four decimals: our choice. */
export const highestBalance = money('9999999999.9999');

/**
 * By how much a change moves the balance, whatever the balance is: below zero for a debit.
 *
 * Refused with 400: a credit or debit that is not above zero, an adjustment of nothing, a reason that says nothing
 * (spec 4.11, 7).
 */
export function deltaOf({ operation, amount, reason }: WalletChange): Amount {
  if (operation !== 'adjustment' && !isPositive(amount)) throw invalid('The amount must be greater than zero.');
  if (amount === zero) throw invalid('The delta of an adjustment cannot be zero.');
  if (reason.trim() === '') throw invalid('A reason is required for every adjustment.');
  return operation === 'debit' ? negate(amount) : amount;
}

/**
 * The next entry of a ledger, from the balance and by how much it moves.
 *
 * @param currencyCode the website's base currency of today
 *
 * Refused with 400: another currency than the balance is kept in, a balance below zero or beyond `highestBalance`.
 */
export function nextEntry(wallet: Wallet, delta: Amount, currencyCode: string): LedgerEntry {
  if (currencyCode !== wallet.currencyCode)
    throw invalid('Currency mismatch: the stored balance is in %1 and not in %2.', [wallet.currencyCode, currencyCode]);
  // Compared before it is added: the sum of the two largest amounts is none.
  if (delta > subtract(highestBalance, wallet.balance))
    throw invalid('The balance cannot go above %1: it is %2 and would change by %3.', [
      toPlain(highestBalance),
      toPlain(wallet.balance),
      toPlain(delta),
    ]);
  const balanceAfter = add(wallet.balance, delta);
  if (balanceAfter < 0)
    throw invalid('The balance cannot go below zero: it is %1 and would change by %2.', [
      toPlain(wallet.balance),
      toPlain(delta),
    ]);
  return { delta, balanceAfter };
}
