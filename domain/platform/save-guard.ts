import { invalid, invalidValue } from '../errors.ts';
import {
  baseNameOf,
  currencies,
  formatUnits,
  none,
  toWire,
  twins,
  zero,
  type Amount,
  type InBoth,
  type MoneyColumns,
} from '../money.ts';
import { layawayTermsStay } from '../refusals/documents.ts';
import { refundUnderWay } from '../refusals/money.ts';
import {
  postedInBase,
  postedInOrderCurrency,
  type PendingMemo,
  type RatedCurrencies,
} from './credit-memos/credit-memo-figures.ts';
import { isLeftToInvoice, type LineQuantities } from './document-lines.ts';

/**
 * The first property that is sent with another value than the stored one; undefined when none is. Null and blank text
 * are equal. Rates are kept as text and compared by value: `1.36` is `1.360000000000`.
 */
const firstChanged = (stored: object, sent: object, names: readonly string[]): string | undefined =>
  names.find((name) => {
    const value: unknown = Reflect.get(sent, name);
    return value !== undefined && plain(name, value) !== plain(name, Reflect.get(stored, name));
  });

function plain(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return '';
  return name.endsWith('Rate') ? Number(value) : value;
}

/** The refunds of an order that were begun and are not decided: the money promised to them, and their memos. */
export interface PromisedRefunds {
  basePendingRefund: Amount;
  pendingMemos?: readonly PendingMemo[] | null | undefined;
}

/** A refund of the order is under way: its money may have gone back already. */
export const hasRefundUnderWay = ({ basePendingRefund, pendingMemos }: PromisedRefunds): boolean =>
  basePendingRefund !== zero || (pendingMemos ?? []).length > 0;

/**
 * The one guard before every change that could keep a credit memo from being booked: a hold, a cancellation, a
 * cancelled invoice, a save of state or figures. The memo of a refund must find its order unchanged (our choice).
 *
 * Refused with: 400 while a refund is under way; `refund_attempt_id` names it.
 */
export function refuseWhileRefundUnderWay(order: PromisedRefunds): void {
  if (!hasRefundUnderWay(order)) return;
  const [first] = order.pendingMemos ?? [];
  throw refundUnderWay({
    ...(first === undefined ? {} : { refund_attempt_id: first.refundAttemptId }),
  });
}

/**
 * A save must not bring a figure of an order or a line below what documents invoiced and refunded of it. A later memo
 * or invoice would compute with a negative rest.
 */

type Floors = Readonly<Record<string, readonly string[]>>;

const orderFloors: Floors = {
  grandTotal: ['totalInvoiced', 'totalPaid', 'totalRefunded'],
  subtotal: ['subtotalInvoiced', 'subtotalRefunded'],
  taxAmount: ['taxInvoiced', 'taxRefunded'],
  discountAmount: ['discountInvoiced', 'discountRefunded'],
  discountTaxCompensationAmount: ['discountTaxCompensationInvoiced', 'discountTaxCompensationRefunded'],
};

const lineFloors: Floors = {
  qtyOrdered: ['qtyInvoiced', 'qtyShipped', 'qtyRefunded'],
  rowTotal: ['rowInvoiced', 'amountRefunded'],
  taxAmount: ['taxInvoiced', 'taxRefunded'],
  discountAmount: ['discountInvoiced', 'discountRefunded'],
  discountTaxCompensationAmount: ['discountTaxCompensationInvoiced', 'discountTaxCompensationRefunded'],
  weeeTaxAppliedRowAmount: ['weeeTaxAmountInvoiced', 'weeeTaxAmountRefunded'],
};

const withBase = (floors: Floors): Floors => ({
  ...floors,
  ...Object.fromEntries(Object.entries(floors).map(([name, taken]) => [baseNameOf(name), taken.map(baseNameOf)])),
});

/** By figure, in both currencies; a quantity has only one. */
const floorsOf = {
  order: withBase(orderFloors),
  line: {
    ...withBase(lineFloors),
    baseWeeeTaxAppliedRowAmnt: ['baseWeeeTaxAmountInvoiced', 'baseWeeeTaxAmountRefunded'],
  },
} as const satisfies Record<string, Floors>;

/** The figure that says how much of each figure invoices took. */
const invoicedOf = {
  order: withBase({
    subtotal: ['subtotalInvoiced'],
    taxAmount: ['taxInvoiced'],
    discountAmount: ['discountInvoiced'],
    discountTaxCompensationAmount: ['discountTaxCompensationInvoiced'],
  }),
  line: {
    ...withBase({
      rowTotal: ['rowInvoiced'],
      taxAmount: ['taxInvoiced'],
      discountAmount: ['discountInvoiced'],
      discountTaxCompensationAmount: ['discountTaxCompensationInvoiced'],
      weeeTaxAppliedRowAmount: ['weeeTaxAmountInvoiced'],
    }),
    baseWeeeTaxAppliedRowAmnt: ['baseWeeeTaxAmountInvoiced'],
  },
} as const satisfies Record<string, Floors>;

/**
 * The first figure that a save would leave beside what invoices took of it, where no invoice follows any more;
 * undefined when there is none.
 */
const firstUninvoiced = (
  invoiced: Floors,
  after: object,
  isRequested: (figure: string) => boolean,
): string | undefined =>
  Object.entries(invoiced).find(
    ([figure, [taken = figure]]) => isRequested(figure) && numberOf(after, figure) !== numberOf(after, taken),
  )?.[0];

/** A figure that was beside what invoices took of it before may be sent again unchanged. */
const hasChanged = (stored: object, after: object) => (figure: string) =>
  numberOf(after, figure) !== numberOf(stored, figure);

/**
 * The first figure that a save would bring below what documents took of it; undefined when there is none. A figure
 * that is already below its floor, because its order was posted so, may be sent again unchanged.
 */
function firstBelowFloor(
  floors: Floors,
  stored: object,
  sent: object,
): { fieldName: string; value: number } | undefined {
  for (const [fieldName, value] of Object.entries(sent)) {
    const floor = (floors[fieldName] ?? []).map((name) => numberOf(stored, name));
    if (typeof value !== 'number' || floor.every((taken) => taken === 0)) continue;
    const was = numberOf(stored, fieldName);
    if (floor.some((taken) => isPast(value, taken, was))) return { fieldName, value };
  }
  return undefined;
}

/** Negative figures, as document discounts are, compare downwards. */
const isPast = (value: number, taken: number, was: number): boolean =>
  taken < 0 ? value > Math.max(taken, was) : value < Math.min(taken, was);

const numberOf = (stored: object, name: string): number => {
  const value: unknown = Reflect.get(stored, name);
  return typeof value === 'number' ? value : 0;
};

/**
 * What a save may not change on an order that received money or has documents (our choice; the stock platform takes
 * everything). A refund goes where the stored order points and gives back what its figures say. The unchanged value
 * may always be sent again.
 */

const paidFigures = twins('totalPaid', 'totalInvoiced');
const shippingFigures = twins('shippingInvoiced', 'shippingRefunded');

/** Of an order, what tells how far it has come. In both currencies. */
export interface SavedOrderFacts extends MoneyColumns<typeof paidFigures & typeof shippingFigures> {
  totalOnlineRefunded: Amount;
  basePendingRefund: Amount;
  pendingMemos?: readonly PendingMemo[] | null | undefined;
}

/** What says in which money, and how much of it, a refund is. */
const rates = [
  'baseCurrencyCode',
  'globalCurrencyCode',
  'orderCurrencyCode',
  'storeCurrencyCode',
  'baseToGlobalRate',
  'baseToOrderRate',
  'storeToBaseRate',
  'storeToOrderRate',
] as const;

/** Shipping is invoiced whole, once; refunds of shipping are computed from these. */
const shipping = [
  ...['shippingAmount', 'shippingTaxAmount', 'shippingDiscountAmount'].flatMap((name) => [name, baseNameOf(name)]),
  'shippingDiscountTaxCompensationAmount',
  'baseShippingDiscountTaxCompensationAmnt',
];

/** The fields of a line, beside its figures, from which memos are computed. */
const ofInvoicedLine = ['weeeTaxApplied', 'isQtyDecimal'] as const;

/** Refused with: 400: a column that only the platform's own steps may change. */
export function refuseUnsafeColumns(order: SavedOrderFacts, sent: object): void {
  if (firstChanged(order, sent, ['state', ...shipping, ...Object.keys(floorsOf.order)])) {
    refuseWhileRefundUnderWay(order);
  }
  if (hasMoney(order) || isSomething(order, paidFigures.totalInvoiced)) {
    refuseChange(order, sent, rates, 'The %fieldName of an order that was invoiced or paid cannot be changed.');
  }
  if (isShippingBooked(order)) {
    refuseChange(order, sent, shipping, 'The %fieldName of an order whose shipping was invoiced cannot be changed.');
  }
  refuseBelowFloor(floorsOf.order, order, sent);
}

/**
 * A total in one currency only would be paid in that currency only, and could never be refunded. Less than a coin of
 * the other currency counts as zero there.
 *
 * Refused with: 400 a change of totals that leaves the order with only one. Both may be sent again unchanged.
 */
export function refuseOneSidedTotal(before: Totals, order: Totals & RatedCurrencies): void {
  const { grandTotal, baseGrandTotal } = order;
  if (grandTotal === before.grandTotal && baseGrandTotal === before.baseGrandTotal) return;
  if (baseGrandTotal === zero && postedInOrderCurrency(grandTotal, order).base !== zero) {
    throw invalidValue('baseGrandTotal', toWire(baseGrandTotal));
  }
  if (grandTotal === zero && postedInBase(baseGrandTotal, order).order !== zero) {
    throw invalidValue('grandTotal', toWire(grandTotal));
  }
}

type Totals = Record<'grandTotal' | 'baseGrandTotal', Amount>;

/**
 * A figure that changes after the last invoice is in no invoice, and the total does not follow it.
 *
 * Refused with: 400 such a figure of an order all of whose pieces are invoiced. What the invoices took of it is taken.
 */
export function refuseLateTotals(before: object, order: object & { lines: readonly LineQuantities[] }): void {
  if (order.lines.every(({ qtyInvoiced }) => qtyInvoiced === none) || order.lines.some(isLeftToInvoice)) return;
  const fieldName = firstUninvoiced(invoicedOf.order, order, hasChanged(before, order));
  if (fieldName !== undefined)
    throw invalid('The %fieldName of an order that was invoiced cannot be changed.', { fieldName });
}

/**
 * Refused with: 400 a figure of a line below what documents took of it, any while a refund of the order is under way,
 * one that changes after the line's last invoice, and a quantity that leaves no piece to invoice but worth of them.
 */
export function refuseUnsafeLine(order: SavedOrderFacts, line: LineQuantities, sent: object): void {
  if (firstChanged(line, sent, [...ofInvoicedLine, ...Object.keys(floorsOf.line)])) refuseWhileRefundUnderWay(order);
  if (line.qtyInvoiced !== 0 || line.qtyRefunded !== 0) {
    refuseChange(line, sent, ofInvoicedLine, lineWasInvoiced);
  }
  refuseBelowFloor(floorsOf.line, line, sent);
  const after = { ...line, ...sent };
  if (after.qtyInvoiced === none || isLeftToInvoice(after)) return;
  const isClosed = isLeftToInvoice(line);
  const fieldName = firstUninvoiced(invoicedOf.line, after, isClosed ? () => true : hasChanged(line, after));
  if (fieldName !== undefined) throw invalid(isClosed ? nothingFollows : lineWasInvoiced, { fieldName });
}

const nothingFollows = 'No piece is left to invoice, so %fieldName must be what was invoiced of it.';

const lineWasInvoiced = 'The %fieldName of a line that was invoiced cannot be changed.';

/**
 * A refund goes back where the money came from. A missing transaction may be added later, while nothing was refunded
 * through a gateway and no refund is under way.
 *
 * Refused with: 400 another method or transaction on an order that received money.
 */
export function refuseRedirecting(
  order: SavedOrderFacts,
  payment: { lastTransId?: string | null | undefined },
  sent: object,
): void {
  if (!hasMoney(order)) return;
  const sentence = 'The %fieldName of the payment of an order that was paid cannot be changed.';
  refuseChange(payment, sent, ['method'], sentence);
  const isFirst = (payment.lastTransId ?? '') === '';
  if (!firstChanged(payment, sent, ['lastTransId'])) return;
  if (isFirst) refuseWhileRefundUnderWay(order);
  if (!isFirst || order.totalOnlineRefunded !== 0) refuseChange(payment, sent, ['lastTransId'], sentence);
}

/** What a layaway's payments set: the deposit, and the ways it was paid and would be paid back (spec 2.13, 3.1). */
const layawayTerms = ['posLayawayDepositAmount', 'posLayawayInitialPaymentMethod'] as const;

/**
 * A cancellation hands back what these name. The unchanged value may always be sent again.
 *
 * Refused with: 400 another deposit or payment method of an order that is a layaway already.
 */
export function refuseLayawayTerms(
  order: { posLayawayStatus?: string | null | undefined; payment: object },
  sent: { columns: object; payment?: object | undefined },
): void {
  if (!order.posLayawayStatus) return;
  const fieldName =
    firstChanged(order, sent.columns, layawayTerms) ?? firstChanged(order.payment, sent.payment ?? {}, ['method']);
  if (fieldName !== undefined) throw layawayTermsStay({ fieldName });
}

const hasMoney = (order: SavedOrderFacts) => currencies.some((currency) => order[paidFigures.totalPaid[currency]] > 0);

const isShippingBooked = (order: SavedOrderFacts) =>
  Object.values(shippingFigures).some((booked) => isSomething(order, booked));

/** Whether the figure is not nothing in one of its currencies. */
const isSomething = <Name extends string>(figures: Record<Name, Amount>, { base, order }: InBoth<Name>) =>
  figures[base] !== zero || figures[order] !== zero;

function refuseChange(stored: object, sent: object, names: readonly string[], sentence: string): void {
  const fieldName = firstChanged(stored, sent, names);
  if (fieldName !== undefined) throw invalid(sentence, { fieldName });
}

function refuseBelowFloor(floors: (typeof floorsOf)[keyof typeof floorsOf], stored: object, sent: object): void {
  const below = firstBelowFloor(floors, stored, sent);
  if (below === undefined) return;
  const { fieldName, value } = below;
  throw invalid('The value "%value" of %fieldName is less than what was invoiced, paid or refunded of it.', {
    fieldName,
    value: formatUnits(value),
  });
}
