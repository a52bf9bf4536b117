import { invalid } from '../errors.ts';
import { isPositive, zero, type Amount } from '../money/amount.ts';
import { coinOf, toCoins } from '../money/coins.ts';
import { moneyText } from '../money/money-text.ts';
import { takeMoney, type OrderMoney, type Taken } from '../orders/take-money.ts';
import type { OrderState } from '../platform/order-state.ts';
import { refuseMoneyIn, takesMoney } from '../platform/refuse-money-in.ts';
import { isCancelled, statusAfterPayment, type LayawayStatus } from './layaway-status.ts';

/** A layaway before a payment. */
export interface PayableLayaway extends OrderMoney {
  /** Null: the order is no layaway. */
  status: LayawayStatus | null;
  state: OrderState;
}

export interface Captured extends Taken {
  /** The amount asked for, in coins; more than `amount` where the layaway owed less. */
  asked: Amount;
  status: LayawayStatus;
}

export const notALayaway = () => invalid('The order is not a layaway.');
export const alreadyCancelled = () => invalid('The layaway is already cancelled.');

/**
 * A payment of a layaway: deposit, top-up or the last one (spec 4.7 capture).
 *
 * Money is rounded to coins as the platform does, so less than half a coin counts as nothing. A payment above the
 * balance is booked up to the balance; for a layaway paid in full, nothing is booked. The register gets the booked
 * state, and the history names the amount beyond it (our choice).
 *
 * Refused with: 400 an amount that is not above zero, an order that is no layaway, a cancelled layaway, an order that is
 * over.
 */
export function captureOf(layaway: PayableLayaway, given: Amount): Captured {
  const asked = positive(given, layaway.orderCurrencyCode);
  const { status, state } = layaway;
  if (status === null) throw notALayaway();
  if (isCancelled(status, state)) throw alreadyCancelled();
  refuseMoneyIn({ state, posLayawayStatus: status });
  const taken = takeMoney(layaway, asked);
  return { ...taken, asked, status: statusAfterPayment(status, taken.totalDue === zero) };
}

/** Whether the layaway still takes a payment. */
export const isPayable = ({ status, state, grandTotal, totalPaid }: PayableLayaway): boolean =>
  status !== null && takesMoney({ state, posLayawayStatus: status }) && grandTotal > totalPaid;

/** In coins. Refused with 400: an amount that is then not above zero. */
export function positive(given: Amount, currencyCode: string): Amount {
  const asked = toCoins(given, coinOf(currencyCode));
  if (!isPositive(asked)) throw notPositive();
  return asked;
}

export const notPositive = () => invalid('Layaway capture amount must be positive');

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
