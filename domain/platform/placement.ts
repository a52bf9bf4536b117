import { invalidValue } from '../errors.ts';
import { isPositive, scale, toWire, zero, type Amount } from '../money/amount.ts';
import type { Coin, Coins } from '../money/coins.ts';
import { atLeastNone, minus, none, type Quantity } from '../money/quantity.ts';
import { defaultStatus, orderStates, type OrderState } from './order-state.ts';

/** The totals of a posted order, and what was paid before it was posted; either currency may be absent. */
export interface PostedFigures {
  coins: Coins;
  grandTotal: Amount;
  baseGrandTotal: Amount;
  totalPaid: Amount | undefined;
  baseTotalPaid: Amount | undefined;
}

export interface Paid {
  amount: Amount;
  baseAmount: Amount;
}

/**
 * What counts as paid when the order is placed. A currency that is absent, or zero while the other is not, is filled
 * in proportion to the grand totals. An amount paid in one currency only could never be refunded.
 *
 * Refused with: 400 an amount paid that is negative or above the grand total.
 */
export function paidAtPlacement({ coins, grandTotal, baseGrandTotal, ...posted }: PostedFigures): Paid {
  const totalPaid = posted.totalPaid || (posted.baseTotalPaid ? undefined : posted.totalPaid);
  const baseTotalPaid = posted.baseTotalPaid || (posted.totalPaid ? undefined : posted.baseTotalPaid);
  const amount = totalPaid ?? inProportion(baseTotalPaid, { of: baseGrandTotal, to: grandTotal, coin: coins.order });
  const baseAmount = baseTotalPaid ?? inProportion(totalPaid, { of: grandTotal, to: baseGrandTotal, coin: coins.base });
  refuseUnlessWithin('total_paid', amount, grandTotal);
  refuseUnlessWithin('base_total_paid', baseAmount, baseGrandTotal);
  return { amount, baseAmount };
}

/** Paid in full stays paid in full, however fine the total was posted. */
function inProportion(paid: Amount | undefined, { of, to, coin }: { of: Amount; to: Amount; coin: Coin }): Amount {
  if (paid === undefined || of === zero) return zero;
  return paid === of ? to : scale(to, paid, of, coin);
}

function refuseUnlessWithin(fieldName: string, paid: Amount, total: Amount): void {
  if (paid >= 0 && (paid === zero || paid <= total)) return;
  throw invalidValue(fieldName, toWire(paid));
}

/** State and status as posted. Without either, a new order; without a status, the state's default status. */
export function startOf(state: OrderState | undefined, status: string | undefined) {
  const start = state ?? stateOf(status) ?? 'new';
  return { state: start, status: status ?? defaultStatus[start] };
}

const stateOf = (status: string | undefined): OrderState | undefined =>
  orderStates.find((state) => defaultStatus[state] === status);

/** A layaway is an order that waits for its payments: its full invoice is open from the start (spec 2.13). */
export const isLayaway = (state: OrderState, layawayStatus: string | null | undefined) =>
  state === 'pending_payment' && (layawayStatus ?? '') !== '' && layawayStatus !== 'cancelled';

/** The layaway attributes of a new order; any of them may be absent. */
interface PostedLayaway {
  state?: OrderState | undefined;
  status?: string | undefined;
  posLayawayStatus?: string | null | undefined;
  posLayawayDepositAmount?: Amount | null | undefined;
  posLayawayBalanceOwed?: Amount | null | undefined;
  posLayawayExpiresAt?: Date | null | undefined;
  posLayawayInitialPaymentMethod?: string | null | undefined;
}

/**
 * What an order placed with layaway attributes starts as, beside what was posted (spec 2.13, 3.1): open, and in
 * `pending_payment`. The state may be absent when the layaway status is given, and the status when the state is.
 * Whether it is ready to settle follows from the amount paid, not from the posted status.
 */
export function layawayStart(posted: PostedLayaway): Pick<PostedLayaway, 'state' | 'status' | 'posLayawayStatus'> {
  const { state, status } = startOf(posted.state, posted.status);
  if (state === 'pending_payment' && posted.posLayawayStatus === 'ready_to_settle') return { posLayawayStatus: 'open' };
  if (state === 'new' && isUnpaid(posted.posLayawayStatus ?? null))
    return startOf('pending_payment', status === defaultStatus.new ? undefined : status);
  const isUnnamed = state === 'pending_payment' && (posted.posLayawayStatus ?? null) === null;
  return isUnnamed && hasTerms(posted) ? { posLayawayStatus: 'open' } : {};
}

const hasTerms = (posted: PostedLayaway): boolean =>
  isPositive(posted.posLayawayDepositAmount ?? zero) ||
  isPositive(posted.posLayawayBalanceOwed ?? zero) ||
  (posted.posLayawayExpiresAt ?? null) !== null ||
  (posted.posLayawayInitialPaymentMethod ?? '') !== '';

/**
 * Whether an order is a receivable from the start: a layaway, or goods sold on credit that is still due (spec 4.6).
 * Its full invoice is open until it is paid.
 */
export const isReceivable = (state: OrderState, { layawayStatus, creditDue }: Receivable) =>
  isLayaway(state, layawayStatus) || (mayBeOwed(state) && isPositive(creditDue ?? zero));

/** An order that is held or over asks for no money. */
export const mayBeOwed = (state: OrderState): boolean =>
  state === 'new' || state === 'processing' || state === 'pending_payment';

interface Receivable {
  layawayStatus: string | null | undefined;
  creditDue: Amount | null | undefined;
}

/** A save may begin a layaway and move it between open and overdue; its own verbs do the rest (our choice). */
export const mayBeSavedAs = (stored: string | null, sent: string | null): boolean =>
  stored === sent || (isUnpaid(sent) && (stored === null || isUnpaid(stored)));

const isUnpaid = (status: string | null) => status === 'open' || status === 'stale';

interface PromisedLine {
  qtyOrdered: Quantity;
  qtyShipped?: Quantity | undefined;
  qtyCanceled?: Quantity | undefined;
}

/** How much stock a line reserves when it is placed: the goods not handed over yet. */
export const toPromise = (line: PromisedLine): Quantity =>
  atLeastNone(minus(line.qtyOrdered, line.qtyShipped ?? none, line.qtyCanceled ?? none));

export const isPaid = ({ amount, baseAmount }: Paid) => isPositive(amount) || isPositive(baseAmount);
