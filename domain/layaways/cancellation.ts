import { legsOfCancelledLayaway } from '../credits/credit-legs.ts';
import { isSomething, type AppliedCredit, type CreditLeg } from '../credits/applied-credit.ts';
import { invalid } from '../errors.ts';
import { add, greatest, least, scale, subtract, zero, type Amount } from '../money/amount.ts';
import { coinsOf, toCoins } from '../money/coins.ts';
import { wholeInPercent } from '../money/fixed-point.ts';
import type { InBoth } from '../money/in-both.ts';
import { refuseWhileRefundUnderWay, type PromisedRefunds } from '../platform/refund-under-way.ts';
import { dueOf } from '../orders/take-money.ts';
import { alreadyCancelled, notALayaway, type PayableLayaway } from './capture.ts';
import { isCancelled, isRunning } from './layaway-status.ts';

/** A layaway before its cancellation: what was paid, credit included, and what was given back. */
export interface CancellableLayaway extends PayableLayaway, PromisedRefunds {
  totalRefunded: Amount;
  baseTotalRefunded: Amount;
  credits: readonly AppliedCredit[];
}

/** What a cancellation does with the money. */
export interface Cancellation {
  /** What the shop keeps. */
  fee: InBoth;
  /** The credit memo's total: everything that goes back, as money or credit. */
  refund: InBoth;
  /** The part of the refund that the cashier hands back. */
  handback: InBoth;
  /** The part of the refund that goes back to credits, and discount credits, which are not part of it. */
  legs: CreditLeg[];
}

/** The range that the interface permits. */
export const isFeePercent = (percent: number) => percent >= 0 && percent <= 100;

export const wrongFeePercent = () => invalid('Layaway cancellation fee percent must be between 0 and 100');

/**
 * Works out a cancellation (spec 4.7 cancel). The fee is a percentage of the gross deposit: captured money and tender
 * credit, less earlier refunds. The money bears it first, then store credit.
 *
 * @param feePercent in 1/10 000 of a percent
 *
 * Refused with: 400 an order that is no layaway, one that is cancelled or paid in full, one with a refund under way, a fee
 * that would keep part of a gift card or of points.
 */
export function cancellationOf(layaway: CancellableLayaway, feePercent: number): Cancellation {
  refuseCancelling({ ...layaway, balanceOwed: dueOf(layaway) });
  // What a gateway is giving back now would be handed back twice.
  refuseWhileRefundUnderWay(layaway);
  const coins = coinsOf(layaway);
  const deposit = {
    base: subtract(toCoins(layaway.baseTotalPaid, coins.base), layaway.baseTotalRefunded),
    order: subtract(toCoins(layaway.totalPaid, coins.order), layaway.totalRefunded),
  };
  const fee = {
    base: scale(deposit.base, feePercent, wholeInPercent, coins.base),
    order: scale(deposit.order, feePercent, wholeInPercent, coins.order),
  };
  const { legs, handback } = legsOfCancelledLayaway({
    credits: layaway.credits,
    captured: capturedOf(deposit, layaway.credits),
    fee,
  });
  const tenders = legs.filter(({ appliesAs }) => appliesAs === 'tender');
  const refund = {
    base: toCoins(add(handback.base, ...tenders.map(({ baseAmount }) => baseAmount)), coins.base),
    order: toCoins(add(handback.order, ...tenders.map(({ amount }) => amount)), coins.order),
  };
  return { fee, refund, handback, legs: legs.filter(isSomething) };
}

/** Refused with 400, by the first rule that applies in the interface's table. */
export function refuseCancelling({ status, state, balanceOwed }: CancellingFacts): void {
  if (status === null) throw notALayaway();
  if (isCancelled(status, state)) throw alreadyCancelled();
  if (!isRunning(status) || balanceOwed === zero) throw invalid('The layaway is already paid in full.');
}

interface CancellingFacts extends Pick<PayableLayaway, 'status' | 'state'> {
  balanceOwed: Amount;
}

/** The money in the deposit: the deposit less the credit that was not given back yet. */
function capturedOf(deposit: InBoth, credits: readonly AppliedCredit[]): InBoth {
  const tenders = credits.filter(({ appliesAs }) => appliesAs === 'tender');
  const left = {
    base: add(zero, ...tenders.map((credit) => subtract(credit.baseAmount, credit.baseReturned))),
    order: add(zero, ...tenders.map((credit) => subtract(credit.amount, credit.amountReturned))),
  };
  return {
    base: greatest(zero, subtract(deposit.base, least(left.base, deposit.base))),
    order: greatest(zero, subtract(deposit.order, least(left.order, deposit.order))),
  };
}
