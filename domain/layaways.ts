import { readAs, type Overrides } from './configuration/resolvables.ts';
import { isSomething, type AppliedCredit, type CreditLeg } from './credits/applied-credit.ts';
import { legsOfCancelledLayaway } from './credits/credit-legs.ts';
import { moneyText } from './currency-texts.ts';
import {
  add,
  coinOf,
  coinsOf,
  greatest,
  isPositive,
  least,
  scale,
  subtract,
  toCoins,
  wholeInPercent,
  zero,
  type Amount,
  type InBoth,
} from './money.ts';
import { dueOf, takeMoney, type OrderMoney, type Taken } from './orders.ts';
import type { OrderState } from './platform/order-state.ts';
import { refuseMoneyIn, takesMoney } from './platform/placement.ts';
import { refuseFinerThanCoin } from './whole-coins.ts';
import { refuseWhileRefundUnderWay, type PromisedRefunds } from './platform/save-guard.ts';
import {
  captureNotPositive,
  feePercentOutOfRange,
  layawayCancelled,
  layawayPaidInFull,
  orderIsNoLayaway,
} from './refusals/money.ts';

/** The states of a layaway and its transitions (spec 3.1). Pure: no clock, no database. */

export const layawayStatuses = ['open', 'ready_to_settle', 'stale', 'cancelled'] as const;
export type LayawayStatus = (typeof layawayStatuses)[number];

/** An order with this attribute is a layaway, in any state. An order without it is not. */
export const layawayStatusOf = (stored: string | null): LayawayStatus | null =>
  layawayStatuses.find((status) => status === stored) ?? null;

/** Not paid in full yet, overdue or not. Only these may be cancelled. */
export const isRunning = (status: LayawayStatus) => status === 'open' || status === 'stale';

/**
 * After a payment. An overdue layaway that is not paid in full stays overdue (our choice: the spec's table names only
 * open).
 */
export const statusAfterPayment = (status: LayawayStatus, isPaidInFull: boolean): LayawayStatus =>
  isPaidInFull && isRunning(status) ? 'ready_to_settle' : status;

/** Cancelled by the layaway's own verb, or as an order on the platform. */
export const isCancelled = (status: LayawayStatus | null, state: OrderState) =>
  status === 'cancelled' || state === 'canceled';

/** Whether nothing can happen to it any more: cancelled, or paid and settled on the platform (spec 3.1). */
export const isFinished = (status: LayawayStatus, state: OrderState) =>
  isCancelled(status, state) || (status === 'ready_to_settle' && state !== 'pending_payment');

/** A layaway before a payment. */
interface PayableLayaway extends OrderMoney {
  /** Null: the order is no layaway. */
  status: LayawayStatus | null;
  state: OrderState;
}

export interface Captured extends Taken {
  /** The amount asked for, in coins; more than `amount` where the layaway owed less. */
  asked: Amount;
  status: LayawayStatus;
}

export const notALayaway = () => orderIsNoLayaway();
export const alreadyCancelled = () => layawayCancelled();

/**
 * A payment of a layaway: deposit, top-up or the last one (spec 4.7 capture).
 *
 * A payment above the balance is booked up to the balance; for a layaway paid in full, nothing is booked. The register gets the booked
 * state, and the history names the amount beyond it (our choice).
 *
 * Refused with: 400 an amount that is not above zero or finer than a coin, an order that is no layaway, a cancelled layaway, an order that
 * is over.
 */
export function captureOf(layaway: PayableLayaway, input: Amount): Captured {
  const request = positive(input, layaway.orderCurrencyCode);
  const { status, state } = layaway;
  if (status === null) throw notALayaway();
  if (isCancelled(status, state)) throw alreadyCancelled();
  refuseMoneyIn({ state, posLayawayStatus: status });
  const taken = takeMoney(layaway, request);
  return { ...taken, asked: request, status: statusAfterPayment(status, taken.totalDue === zero) };
}

/** Whether the layaway still takes a payment. */
export const isPayable = ({ status, state, grandTotal, totalPaid }: PayableLayaway): boolean =>
  status !== null && takesMoney({ state, posLayawayStatus: status }) && grandTotal > totalPaid;

/** Refused with 400: an amount that is not above zero, or finer than the currency's coin. */
export function positive(input: Amount, currencyCode: string): Amount {
  // Less than half a coin is nothing.
  if (!isPositive(toCoins(input, coinOf(currencyCode)))) throw notPositive();
  refuseFinerThanCoin(input, currencyCode);
  return input;
}

export const notPositive = () => captureNotPositive();

export interface CaptureToTell {
  captured: Pick<Captured, 'asked' | 'amount' | 'totalDue'>;
  paymentMethod: string;
  reference: string | null;
  currencyCode: string;
}

/** The comment in the order's history: the amount booked, and the amount asked for where that was more. */
export function captureComment({ captured, paymentMethod, reference, currencyCode }: CaptureToTell): string {
  const { asked, amount, totalDue } = captured;
  const text = (value: Amount) => moneyText(value, currencyCode);
  const by = `by ${paymentMethod}${reference === null ? '' : `, reference ${reference}`}`;
  const left = `Balance owed: ${text(totalDue)}.`;
  if (toCoins(amount, coinOf(currencyCode)) === asked) return `Layaway payment of ${text(amount)} ${by}. ${left}`;
  return `Layaway payment ${by}: ${text(asked)} was requested, ${text(amount)} was booked, which is all that was owed. ${left}`;
}

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

export const wrongFeePercent = () => feePercentOutOfRange();

/**
 * Works out a cancellation (spec 4.7 cancel). The fee is a percentage of the gross deposit: captured money and tender
 * credit, less earlier refunds. The money bears it first, then store credit.
 *
 * @param feePercent in 1/10 000 of a percent
 *
 * Refused with: 400 an order that is no layaway, one that is cancelled or paid in full, one with a refund under way, a
 * fee that would keep part of a gift card or of points.
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
  if (!isRunning(status) || balanceOwed === zero) throw layawayPaidInFull();
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

const key = 'layaway_expiry_days';
/** A century. No layaway lasts longer, and every date within it can be stored. */
const longestDays = 36_500;

/** The setting at each level, the narrowest first; null where a level does not set it. */
export interface ExpirySettings {
  terminal: Overrides | null;
  location: number | null;
  locationOverrides: Overrides | null;
  /** The shop's setting. */
  shop: string;
}

/**
 * After how many days a layaway of a register expires, by the register's resolved config (spec 2.2).
 *
 * @returns 0: never, as `period_days` 0 means no window (our choice)
 */
export function expiryDaysOf({ terminal, location, locationOverrides, shop }: ExpirySettings): number {
  const configured = [terminal?.[key], location, locationOverrides?.[key], shop].map((value) =>
    readAs('integer', value),
  );
  const days = Number(configured.find((value) => value !== undefined) ?? 0);
  return Math.min(Math.max(days, 0), longestDays);
}

/** A layaway in its workflow's memory: numbers and status words, no personal data. */
export interface FollowedLayaway {
  orderId: number;
  orderIncrementId: string;
  state: OrderState;
  /** Null: the order is no layaway. */
  status: LayawayStatus | null;
  balanceOwed: Amount;
  currencyCode: string;
  /** ISO 8601. */
  expiresAt: string | null;
  /** By the database's clock: zero or below when overdue, null when it never expires. */
  expiresInMs: number | null;
}

/** Nothing can happen to it any more: cancelled, settled, or not a layaway at all. */
export const isOver = ({ status, state }: FollowedLayaway): boolean => status === null || isFinished(status, state);

/**
 * Paid, though its status does not say ready: collecting credit due pays a layaway without its own verbs (spec 4.6).
 */
export const owesNothing = ({ status, balanceOwed }: FollowedLayaway): boolean =>
  status === 'open' && balanceOwed === zero;

/** Time until it turns stale; null when that cannot happen. */
export const msUntilStale = ({ status, expiresInMs }: FollowedLayaway): number | null =>
  status === 'open' && expiresInMs !== null ? Math.max(0, expiresInMs) : null;

/** What the reason of a cancellation is sealed for, on its way through Temporal. */
export const reasonSealedFor = 'layaway reason';
