import {
  absolute,
  add,
  coinOf,
  isPositive,
  none,
  plus,
  subtract,
  toCoins,
  unitsPerWhole,
  zero,
  type Amount,
  type Coin,
  type Quantity,
} from '../money.ts';
import { cancelledOrderStays, invoiceQuantityNotValid } from '../refusals/documents.ts';
import {
  isLeftToInvoice,
  isLeftToShip,
  toCancel,
  toInvoice,
  toRefund,
  toShip,
  requestedQuantity,
  type ChosenLine,
  type LineQuantities,
  type OrderedLine,
  type RequestedLine,
} from './document-lines.ts';

/** Order states, the status each starts with, and what moves an order between them (platform facts 5.3, 5.4). */

export const orderStates = [
  'new',
  'pending_payment',
  'processing',
  'complete',
  'closed',
  'canceled',
  'holded',
  'payment_review',
] as const;
export type OrderState = (typeof orderStates)[number];

/** The default status of each state. */
export const defaultStatus: Record<OrderState, string> = {
  new: 'pending',
  pending_payment: 'pending_payment',
  processing: 'processing',
  complete: 'complete',
  closed: 'closed',
  canceled: 'canceled',
  holded: 'holded',
  payment_review: 'payment_review',
};

/** The figures that decide the state of an order. Money in the order's currency unless the name says base. */
export interface OrderFigures {
  state: OrderState;
  isVirtual: boolean;
  orderCurrencyCode: string;
  grandTotal: Amount;
  baseGrandTotal: Amount;
  totalPaid: Amount;
  totalRefunded: Amount;
  adjustmentPositive: Amount;
  adjustmentNegative: Amount;
  /** What can never be collected of the grand total: see the order's column. */
  dueTakenOff: Amount;
  /** Of the adjustments: what memos gave more or less than their goods come to. */
  differenceRefunded: Amount;
  /** A refund is under way: until it is decided, the order stays refundable. */
  hasRefundUnderWay?: boolean;
  lines: readonly LineQuantities[];
}

/** The state after a hold. An order posted as held without a state that can be held becomes new. */
export const stateAfterHold = (before: string | null | undefined): OrderState =>
  orderStates.find((state) => state === before && canHold(state)) ?? 'new';

const isStopped = (state: OrderState) => state === 'holded' || state === 'payment_review' || state === 'canceled';
const isFinished = (state: OrderState) => state === 'complete' || state === 'closed';

/** The order is finished: nothing more is expected of it. */
export const isOver = (state: OrderState) => state === 'canceled' || state === 'closed';

/** Whether the state permits an invoice; whether anything is left to invoice is a separate check (platform facts 6). */
export const isReadyForInvoice = (state: OrderState) => !isStopped(state) && !isFinished(state);

export const canInvoice = ({ state, lines }: OrderFigures) => isReadyForInvoice(state) && lines.some(isLeftToInvoice);

export const canShip = ({ state, isVirtual, lines }: OrderFigures) =>
  !isStopped(state) && !isVirtual && lines.some(isLeftToShip);

/** An order that an open invoice covers has nothing left to invoice, so it cannot be cancelled (platform facts 5.4). */
export const canCancel = canInvoice;

/** A finished or stopped order cannot be held (platform facts 5.4). */
export const canHold = isReadyForInvoice;

/** Whether the state permits a credit memo. */
export const isReadyForCreditmemo = (state: OrderState) => !isStopped(state) && state !== 'closed';

/**
 * Whether there is money left to give back.
 *
 * A restocking fee equal to the rest counts as fully refunded. An order with a total of zero may be refunded while any
 * of its goods are out (our choice; on the platform once).
 */
export function canCreditmemo(figures: OrderFigures): boolean {
  if (!isReadyForCreditmemo(figures.state)) return false;
  if (figures.hasRefundUnderWay) return true;
  const hasGoodsOut = figures.lines.some((line) => toRefund(line) > none);
  if (figures.grandTotal === zero) return !canInvoice(figures) && hasGoodsOut;
  const coin = coinOf(figures.orderCurrencyCode);
  const left = subtract(toCoins(figures.totalPaid, coin), figures.totalRefunded);
  return !isAbout(left, zero, coin) && !isStoredAsFee(figures, { left, hasGoodsOut, coin });
}

/**
 * What evened out the sums of the order is no fee: while goods are out, it can be the same sum as the rest by chance.
 */
function isStoredAsFee(
  { adjustmentPositive, adjustmentNegative, differenceRefunded }: OrderFigures,
  { left, hasGoodsOut, coin }: { left: Amount; hasGoodsOut: boolean; coin: Coin },
): boolean {
  if (differenceRefunded === zero) return isAbout(left, adjustmentNegative, coin);
  const stored = subtract(add(adjustmentNegative, differenceRefunded), adjustmentPositive);
  return !hasGoodsOut && isAbout(left, stored, coin);
}

/** Whether any memo brought goods back, for money or for none. */
const isAnyRefunded = ({ totalRefunded, lines }: OrderFigures): boolean =>
  isPositive(totalRefunded) || lines.some((line) => line.qtyRefunded > none);

/** Within 1/10 000, as the platform compares money; but a coin of a currency with four decimals is money. */
const isAbout = (one: Amount, other: Amount, coin: Coin) => absolute(subtract(one, other)) < Math.min(coin, 2);

/**
 * The state after an invoice or a refund (platform facts 5.3).
 *
 * A layaway (`pending_payment`) stays where it is: the stock platform would move it to `new`, but the layaway's own
 * steps need this state. An order that an open invoice waits for is not closed (our choice): it still takes that money.
 */
export function stateAfterDocument(
  figures: OrderFigures,
  document: 'invoice' | 'refund',
  hasOpenInvoice: boolean,
): OrderState {
  if (figures.state === 'pending_payment' || isStopped(figures.state)) return figures.state;
  if (!canInvoice(figures) && !canShip(figures)) {
    if (figures.baseGrandTotal === zero || canCreditmemo(figures)) return 'complete';
    if (awaitsPayment(figures, hasOpenInvoice)) return figures.state;
    // A fee as large as the refund gives nothing back, and ends the order all the same.
    if (isAnyRefunded(figures)) return 'closed';
  }
  if (figures.state === 'new') return document === 'invoice' ? 'processing' : 'new';
  return figures.state === 'processing' ? 'processing' : 'new';
}

/**
 * A shipment starts a new order. Other states do not change here; the next save completes the order (platform facts
 * 5.5).
 */
export const stateAfterShipment = (state: OrderState): OrderState => (state === 'new' ? 'processing' : state);

/**
 * Whether an open invoice keeps the order in its state. An amount due below one whole unit does not (platform facts
 * 5.3), nor does what can never be collected (our choice).
 */
export function awaitsPayment(figures: MoneyToCome, hasOpenInvoice: boolean): boolean {
  const { grandTotal, totalPaid, dueTakenOff, orderCurrencyCode } = figures;
  const due = toCoins(subtract(grandTotal, totalPaid, dueTakenOff), coinOf(orderCurrencyCode));
  return hasOpenInvoice && due >= unitsPerWhole;
}

type MoneyToCome = Pick<OrderFigures, 'grandTotal' | 'totalPaid' | 'dueTakenOff' | 'orderCurrencyCode'>;

/** What every save of an order does to its state: a delivered order becomes complete, a refunded one closed. */
export function stateOnSave(figures: OrderFigures, hasOpenInvoice: boolean): OrderState {
  const { state } = figures;
  if (state !== 'processing' && state !== 'complete') return state;
  if (canInvoice(figures) || awaitsPayment(figures, hasOpenInvoice)) return state;
  if (!canCreditmemo(figures) && !canShip(figures) && !figures.isVirtual) return 'closed';
  if (state === 'processing' && (!canShip(figures) || isAllShippedOrRefunded(figures))) return 'complete';
  return state;
}

function isAllShippedOrRefunded({ lines }: OrderFigures): boolean {
  const shipped = plus(...lines.map((line) => line.qtyShipped));
  const refunded = plus(...lines.map((line) => line.qtyRefunded));
  return shipped > 0 && plus(...lines.map((line) => line.qtyOrdered)) <= plus(shipped, refunded);
}

/**
 * Cancelled, unless something invoiced could still be refunded: then the order continues, in processing while goods
 * must still be handed over. Call it before the cancellation is booked.
 */
export function stateAfterCancel({ lines }: OrderFigures): OrderState {
  const refundable = lines.filter((line) => toRefund(line) > 0);
  if (refundable.length === 0) return 'canceled';
  return refundable.some((line) => toShip(line) > toCancel(line)) ? 'processing' : 'complete';
}

/**
 * A cancelled order stays cancelled (our choice; the stock platform takes any state). Its credit, points and reserved
 * goods were given back, and a reopened order would use them twice.
 *
 * @param sent what a save asks for; undefined leaves the state as it is
 *
 * Refused with: 400 another state for a cancelled order.
 */
export function refuseReopening(stored: OrderState, sent: OrderState | undefined): void {
  if (stored !== 'canceled' || sent === undefined || sent === stored) return;
  throw cancelledOrderStays();
}

/** The currencies and totals of a new order, and the currencies of its store view. */
interface RatedOrder {
  baseCurrencyCode: string;
  orderCurrencyCode: string;
  baseGrandTotal: Amount;
  grandTotal: Amount;
  /** The value of one unit of the website's base currency, in the view's own. */
  view: { baseCurrencyCode: string; currencyCode: string; rate: string };
}

/**
 * The exchange rate for an order that does not state it. It is 1 within one currency, the view's own rate for the
 * view's currencies, else the ratio of the totals.
 *
 * @returns undefined where the rate cannot be told
 */
export function rateOfOrder({ view, ...order }: RatedOrder): string | undefined {
  const { baseCurrencyCode: base, orderCurrencyCode: own, baseGrandTotal, grandTotal } = order;
  if (isSame(base, own)) return '1';
  if (isSame(base, view.baseCurrencyCode) && isSame(own, view.currencyCode)) return view.rate;
  if (!isPositive(baseGrandTotal) || !isPositive(grandTotal)) return undefined;
  return (grandTotal / baseGrandTotal).toFixed(12);
}

const isSame = (one: string, other: string) => one.toUpperCase() === other.toUpperCase();

/**
 * The lines an invoice takes: those named, or everything left when none are. The answer has every line with something
 * left to invoice, with quantity zero where it waits. Lines of other orders and fully invoiced lines are left out.
 *
 * Refused with: 400 more of a line than is left of it.
 */
export function invoiceLines<Line extends OrderedLine>(
  lines: readonly Line[],
  requested: readonly RequestedLine[],
): ChosenLine<Line>[] {
  return lines.filter(isLeftToInvoice).map((line) => {
    const qty = requested.length === 0 ? toInvoice(line) : requestedQuantity(line, requested);
    if (qty <= toInvoice(line)) return { line, qty };
    throw invoiceQuantityNotValid([line.name ?? line.sku]);
  });
}

/** The reasons that forbid an invoice of these lines; empty when nothing does (platform facts 6). */
export function invoiceErrors(
  order: { state: OrderState; status: string; lines: readonly LineQuantities[] },
  chosen: readonly { qty: Quantity }[],
): string[] {
  const isEmpty = plus(...chosen.map(({ qty }) => qty)) <= none;
  return [
    ...(isEmpty ? ["The invoice can't be created without products. Add products and try again."] : []),
    ...(isReadyForInvoice(order.state)
      ? order.lines.some(isLeftToInvoice)
        ? []
        : ['The order does not allow an invoice to be created.']
      : [`An invoice cannot be created when an order has a status of ${order.status}`]),
  ];
}

/** The lines of a shipment: those named, or everything left to hand over when none are (platform facts 5.5). */
export function shipmentLines<Line extends OrderedLine>(
  lines: readonly Line[],
  requested: readonly RequestedLine[],
): ChosenLine<Line>[] {
  return lines
    .filter(isLeftToShip)
    .map((line) => ({ line, qty: requested.length === 0 ? toShip(line) : requestedQuantity(line, requested) }))
    .filter(({ qty }) => qty > none);
}

/** The reasons that forbid a shipment, those of the order first; empty when nothing does. */
export function shipmentErrors(
  order: { state: OrderState; status: string; isVirtual: boolean; lines: readonly OrderedLine[] },
  chosen: readonly ChosenLine<OrderedLine>[],
  tracks: readonly { trackNumber: string }[],
): string[] {
  const fits = ({ line, qty }: ChosenLine<OrderedLine>) => qty <= toShip(line);
  const total: Quantity = plus(...chosen.filter(fits).map(({ qty }) => qty));
  return [
    ...orderErrors(order),
    ...chosen.filter((one) => !fits(one)).map(({ line }) => tooMany(line.sku)),
    ...(total <= none ? ["You can't create a shipment without products."] : []),
    ...tracks.filter(({ trackNumber }) => trackNumber === '').map(() => 'Please enter a tracking number.'),
  ];
}

function orderErrors({ state, status, isVirtual, lines }: Parameters<typeof shipmentErrors>[0]): string[] {
  const isStopped = state === 'payment_review' || state === 'holded' || state === 'canceled' || isVirtual;
  if (isStopped) return [`A shipment cannot be created when an order has a status of ${status}`];
  return lines.some(isLeftToShip) ? [] : ['The order does not allow a shipment to be created.'];
}

const tooMany = (sku: string) =>
  `The quantity to ship must not be greater than the unshipped quantity for product SKU "${sku}".`;
