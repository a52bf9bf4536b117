import { subtract } from '../money/amount.ts';
import { downToCoins, type Coins } from '../money/coins.ts';
import { inBoth, type InBoth } from '../money/in-both.ts';
import { twin, type MoneyColumns } from '../money/twins.ts';
import type { CreditUse } from './applied-credit.ts';

/** What of a refund one leg takes; absent: a tender, as all were before points could be a discount. */
interface Taken extends MoneyColumns<{ amount: typeof amountOf }> {
  appliesAs?: CreditUse | undefined;
}

const amountOf = twin('amount');

/**
 * What goes back by the original tender: the memo's total less every tender leg (spec 2.11 `base_handback`), in coins. What a
 * credit that paid a part of a coin leaves of one is nobody's money.
 */
export function handbackOf(refund: InBoth, legs: readonly Taken[], coins: Coins): InBoth {
  const tenders = legs.filter(({ appliesAs }) => appliesAs !== 'discount');
  return inBoth((currency) => {
    const taken = tenders.map((leg) => leg[amountOf[currency]]);
    return downToCoins(subtract(refund[currency], ...taken), coins[currency]);
  });
}
