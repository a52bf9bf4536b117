import { invalid, invalidValue } from '../errors.ts';
import {
  add,
  atLeastNone,
  coinOf,
  greatest,
  isPositive,
  least,
  minus,
  none,
  scale,
  subtract,
  toCoins,
  toPlain,
  toWire,
  zero,
  type Amount,
  type Coin,
  type Coins,
  type Quantity,
} from '../money.ts';
import { layawayStillOwes, orderIsOver } from '../refusals/documents.ts';
import { skuKey } from './catalog/tier-rows.ts';
import { defaultStatus, isOver, orderStates, type OrderState } from './order-state.ts';

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

/** Whether a posted SKU is that of a line, though its letters may be others. */
export const isSku = (posted: unknown, sku: string): boolean =>
  typeof posted === 'string' && skuKey(posted) === skuKey(sku);

/**
 * The SKU of an order's line with these parts. A configurable line has that of what was chosen, as on the platform:
 * stock, documents and returns go by it. Any other line has its own, and so has one whose goods are stocked under
 * another.
 */
export function skuOfLine(
  line: { productType?: string | undefined; sku: string; stockSku?: string | null | undefined },
  parts: readonly { sku: string }[],
): string {
  const [part] = parts;
  if (line.stockSku != null) return line.sku;
  return line.productType === 'configurable' && part && parts.length === 1 ? part.sku : line.sku;
}

/** The SKU under which the goods of a sold line are stocked: the line's own may name its custom options too. */
export const stockSkuOf = ({ sku, stockSku }: { sku: string; stockSku?: string | null | undefined }): string =>
  stockSku ?? sku;

/** Figures that documents write: invoices, shipments, credit memos, cancellations (platform facts 5.2, 5.4, 6, 7.5). */

const booked =
  /(?:Invoiced|Refunded|Canceled|Captured|InvoicedCost|Returned)$|^(?:base)?[aA]djustment(?:Positive|Negative)$|^qtyShipped$/;

/**
 * Whether only a document may change this figure of an order, a line or a payment.
 *
 * Our choice: the stock platform lets a save overwrite them, and then the order contradicts its documents.
 */
export const isBooked = (property: string) => booked.test(property);

/** The first figure a save would overwrite with another value; undefined when it changes none. */
export const firstOverwritten = (stored: object, sent: object): [string, unknown] | undefined =>
  Object.entries(sent).find(
    ([name, value]) => isBooked(name) && value !== undefined && Reflect.get(stored, name) !== value,
  );

/** The fields that decide whether an order still takes money. */
export interface Ending {
  state: OrderState;
  posLayawayStatus?: string | null | undefined;
}

/**
 * Not when it is cancelled or closed, nor when its layaway is cancelled: no memo or invoice would account for the
 * money.
 */
export const takesMoney = ({ state, posLayawayStatus }: Ending): boolean =>
  !isOver(state) && posLayawayStatus !== 'cancelled';

/**
 * The one guard before money is booked to an order, in every way: a save, an invoice, a layaway's payment, credit
 * due, credit (our choice). Refused with: 400 an order that is over.
 */
export function refuseMoneyIn(order: Ending): void {
  if (takesMoney(order)) return;
  if (isOver(order.state)) throw orderIsOver([order.state]);
  throw invalid('The layaway is cancelled: it takes no more money.');
}

export interface LayawayToSettle {
  posLayawayStatus?: string | null | undefined;
  grandTotal: Amount;
  totalPaid: Amount;
  orderCurrencyCode: string;
}

/**
 * An invoice of a layaway is paid once nothing is owed (spec 3.1: only what is ready to settle is settled). Paid
 * earlier, the rest would count as money although it was never received.
 *
 * Refused with: 400 a layaway that still owes something.
 */
export function refuseUnpaidLayaway(layaway: LayawayToSettle): void {
  const { posLayawayStatus, grandTotal, totalPaid, orderCurrencyCode } = layaway;
  const owed = toCoins(subtract(grandTotal, totalPaid), coinOf(orderCurrencyCode));
  if ((posLayawayStatus ?? '') === '' || owed <= zero) return;
  throw layawayStillOwes([toPlain(owed)]);
}

/** An order's money in one currency: received, and given back by any way. */
export interface MoneyOfOrder {
  totalPaid: Amount;
  /** By credit memos. */
  totalRefunded: Amount;
  /** By any other way: see the order's column. */
  returnedWithoutMemo: Amount;
}

/** The money received and not given back yet, by any way; refunds under way do not count. */
export const moneyLeft = ({ totalPaid, totalRefunded, returnedWithoutMemo }: MoneyOfOrder): Amount =>
  subtract(totalPaid, totalRefunded, returnedWithoutMemo);

/** A credit memo, and what was received and not given back before it, in one currency. */
export interface MemoBeyondMoney {
  moneyLeft: Amount;
  memo: { grandTotal: Amount; adjustmentPositive: Amount; adjustmentNegative: Amount };
}

/**
 * What a credit memo takes off what its order owes (our choice). Goods that came back are worth more than the money
 * that was there: the difference cannot be handed out, and is owed no longer. A fee beyond that stays owed.
 */
export function takenOffByMemo({ moneyLeft: money, memo }: MemoBeyondMoney): Amount {
  const goods = subtract(add(memo.grandTotal, memo.adjustmentNegative), memo.adjustmentPositive);
  return least(greatest(zero, subtract(goods, money)), memo.adjustmentNegative);
}

/** What the goods of an order are worth that no credit memo took back. */
export const worthOfGoodsOut = (order: {
  grandTotal: Amount;
  totalRefunded: Amount;
  adjustmentPositive: Amount;
  adjustmentNegative: Amount;
}): Amount =>
  greatest(
    zero,
    subtract(add(order.grandTotal, order.adjustmentPositive), order.totalRefunded, order.adjustmentNegative),
  );

/**
 * How much of a figure can still be refunded. It is zero where more was refunded than the figure is now, after a
 * cancelled invoice or a smaller save. Never negative: a refund does not take money.
 */
export function leftToRefund(whole: Amount, refunded: Amount): Amount {
  const left = subtract(whole, refunded);
  return whole < zero ? least(zero, left) : greatest(zero, left);
}
