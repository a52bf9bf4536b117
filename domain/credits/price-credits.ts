import { invalid } from '../errors.ts';
import { add, amount, isPositive, least, subtract, toPlain, zero, type Amount } from '../money/amount.ts';
import { givenInOrderCurrency, type RatedCurrencies } from '../platform/credit-memos/credit-memo-currencies.ts';
import { coinOf, isInCoins, type Coin } from '../money/coins.ts';
import type { PostedCredit } from './posted-credit.ts';

/** An order's totals before credit is spent on it. */
export interface OrderToPay extends RatedCurrencies {
  grandTotal: Amount;
  baseGrandTotal: Amount;
  /** Already paid with money. */
  totalPaid: Amount;
  baseTotalPaid: Amount;
}

export type PricedCredit = PostedCredit & { baseAmount: Amount };

/**
 * What each credit is worth in the base currency, in which balances are kept. Converted by the order's rate and
 * counted in coins.
 *
 * Money and tender credits together never exceed the order's total. Credits that pay the whole rest in one currency
 * pay it in both.
 *
 * Refused with: 400 more credit than the order still costs, a credit worth less than a coin, a payment with a
 * fraction of a coin, because no gateway could pay back the rest beside it.
 */
export function priceCredits(credits: readonly PostedCredit[], order: OrderToPay): PricedCredit[] {
  const left = {
    base: subtract(order.baseGrandTotal, order.baseTotalPaid),
    order: subtract(order.grandTotal, order.totalPaid),
  };
  const coin = coinOf(order.orderCurrencyCode);
  refuseBeyond(credits.filter(isTender), left.order);
  return credits.map((credit) => {
    const byRate = givenInOrderCurrency(credit.amount, order).base;
    if (!isTender(credit)) return worth(credit, byRate);
    left.order = subtract(left.order, credit.amount);
    if (left.order !== zero && !isInCoins(credit.amount, coin)) throw brokenCoin(credit.amount, coin);
    const baseAmount = left.order === zero ? left.base : least(byRate, left.base);
    left.base = subtract(left.base, baseAmount);
    return worth(credit, baseAmount);
  });
}

const isTender = ({ appliesAs }: PostedCredit) => appliesAs === 'tender';

function worth(credit: PostedCredit, baseAmount: Amount): PricedCredit {
  if (isPositive(baseAmount)) return { ...credit, baseAmount };
  throw invalid('A credit of %1 is worth less than a cent in the base currency.', [toPlain(credit.amount)]);
}

/** Each amount is checked before the sum: twenty of the largest amounts would overflow. */
function refuseBeyond(tenders: readonly PostedCredit[], left: Amount): void {
  const largest = tenders.find(({ amount }) => amount > left);
  const tender = largest?.amount ?? add(zero, ...tenders.map(({ amount }) => amount));
  if (tender > left)
    throw invalid('The credits come to %1, and the order has only %2 left to pay.', [toPlain(tender), toPlain(left)]);
}

const brokenCoin = (credit: Amount, coin: Coin) =>
  invalid('A credit of %1 is not paid in whole coins of %2.', [toPlain(credit), toPlain(amount(coin))]);
