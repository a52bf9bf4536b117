import { subtract } from '../money/amount.ts';
import { downToCoins, type Coins } from '../money/coins.ts';
import { inBoth, type InBoth } from '../money/in-both.ts';
import { twin, type MoneyColumns } from '../money/twins.ts';
import type { CreditUse } from './applied-credit.ts';

/** The part of a refund in one leg. When `appliesAs` is absent it is a tender: older legs have none. */
interface Taken extends MoneyColumns<{ amount: typeof amountOf }> {
  appliesAs?: CreditUse | undefined;
}

const amountOf = twin('amount');

/**
 * What goes back by the original tender, in coins: the memo's total less every tender leg (spec 2.11 `base_handback`).
 * A fraction of a coin that a credit leaves is not given to anyone.
 */
export function handbackOf(refund: InBoth, legs: readonly Taken[], coins: Coins): InBoth {
  const tenders = legs.filter(({ appliesAs }) => appliesAs !== 'discount');
  return inBoth((currency) => {
    const taken = tenders.map((leg) => leg[amountOf[currency]]);
    return downToCoins(subtract(refund[currency], ...taken), coins[currency]);
  });
}
