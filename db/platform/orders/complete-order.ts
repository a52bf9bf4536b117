import { fieldRequired, invalid } from '../../../domain/errors.ts';
import {
  absolute,
  add,
  amount,
  coinsOf,
  currencies,
  inBoth,
  isPositive,
  negate,
  none,
  scale,
  subtract,
  toWire,
  twin,
  unitsPerWhole,
  zero,
  type Amount,
  type Coins,
  type Currency,
  type InBoth,
  type OrderCurrencies,
  type Twin,
} from '../../../domain/money.ts';
import {
  postedInBase,
  postedInOrderCurrency,
  type RatedCurrencies,
} from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { rateOfOrder, type OrderState } from '../../../domain/platform/order-state.ts';
import { layawayStart, paidAtPlacement, skuOfLine, startOf, type Paid } from '../../../domain/platform/placement.ts';
import { shippingDiscountTaxCompensation, weeeOfRow } from './add-order-comment.ts';
import { orderMoney } from './order-columns.ts';
import { orderItemMoney } from './order-parts.entity.ts';
import type { OrderLine, PostedColumns, PostedLine, PostedOrder } from './posted-order.ts';
import type { OrderNumbers } from './prepare-order.ts';

/** What a posted order says by itself, before the catalog and the store were read. */
export interface OrderDraft {
  columns: PostedColumns;
  lines: readonly OrderLine[];
  method: string;
  start: { state: OrderState; status: string };
}

/** Refused with: 400 a line without sku, an order without payment. */
export function draftOf(posted: PostedOrder): OrderDraft {
  const columns = { ...posted.columns, ...layawayStart(posted.columns) };
  const lines = underTheirParts((posted.lines ?? []).map(complete));
  return { columns, lines, method: methodOf(posted), start: startOf(columns.state, columns.status) };
}

function complete(line: PostedLine): OrderLine {
  if (isComplete(line)) return line;
  const { sku, qtyOrdered } = line;
  if (sku === undefined) throw fieldRequired('sku');
  // A line of quantity zero is kept, as on the platform: it can be neither invoiced nor shipped.
  return { ...line, sku, qtyOrdered: qtyOrdered ?? none };
}

const isComplete = (line: PostedLine): line is OrderLine => line.sku !== undefined && line.qtyOrdered !== undefined;

/** A register may send the SKU of the configurable product itself (our choice). */
function underTheirParts(lines: readonly OrderLine[]): OrderLine[] {
  const parts = Map.groupBy(lines, ({ parentAt }) => parentAt);
  return lines.map((line, at) => {
    const sku = skuOfLine(line, parts.get(at) ?? []);
    return sku === line.sku ? line : { ...line, sku };
  });
}

function methodOf({ payment }: PostedOrder): string {
  if (!payment?.method) throw fieldRequired(payment ? 'method' : 'payment');
  return payment.method;
}

interface PlacedFigures {
  columns: PostedColumns;
  lines: readonly OrderLine[];
}

/**
 * Completes a new order's figures in both currencies, so that its payments can be refunded. Our choice: the platform
 * stores what is sent. A figure sent in one currency only is converted at the rate, in coins. A missing total is the
 * sum of its parts. A line without a row total gets its price times its quantity.
 *
 * Refused with: 400 an order with a value but without lines, or with lines of no value, more paid than it is worth.
 */
export function completeOrder(sent: PlacedFigures, numbers: OrderNumbers): PlacedFigures & { paid: Paid } {
  const rated: RatedCurrencies = currenciesOf(sent.columns, numbers);
  const spelled = sent.lines.map((line) => inCatalog(line, numbers));
  const lines = spelled.map((line) => inBothCurrencies(withRow(line, coinsOf(rated)), lineFigures, rated));
  const columns = withTotals({ columns: sent.columns, lines }, rated);
  refuseDeadEnd({ columns, lines });
  return { columns, lines, paid: paidOf(columns, numbers) };
}

/** A line names its product as the catalog does: stock and documents go by it. */
const inCatalog = (line: OrderLine, { storedSku }: OrderNumbers): OrderLine =>
  line.stockSku == null ? { ...line, sku: storedSku(line.sku) } : { ...line, stockSku: storedSku(line.stockSku) };

/** Without the grand totals and what was paid: these follow from the figures here. */
const orderFigures: readonly Twin[] = [
  ...orderMoney.filter((name) => name !== 'totalPaid' && name !== 'grandTotal').map(twin),
  shippingDiscountTaxCompensation,
];

const lineFigures: readonly Twin[] = [...[...orderItemMoney, 'priceInclTax', 'rowTotalInclTax'].map(twin), weeeOfRow];

function figureOf(figures: object, name: string): Amount {
  const value: unknown = Reflect.get(figures, name);
  return typeof value === 'number' ? amount(value) : zero;
}

/** Absent and zero mean the same here: clients send zeros for what they do not know. */
function inBothCurrencies<Figures extends object>(
  figures: Figures,
  names: readonly Twin[],
  rated: RatedCurrencies,
): Figures {
  const found: [string, Amount][] = [];
  // An order has some two hundred figures, and a till sends nearly all of them in both currencies.
  for (const name of names) {
    const sent = { base: figureOf(figures, name.base), order: figureOf(figures, name.order) };
    const missing = missingIn(sent);
    if (missing !== undefined) found.push([name[missing], postedIn(missing, sent, rated)[missing]]);
  }
  return found.length === 0 ? figures : { ...figures, ...Object.fromEntries(found) };
}

/** The currency in which a figure was not sent, when it was sent in the other one. */
function missingIn(sent: InBoth): Currency | undefined {
  if ((sent.base === zero) === (sent.order === zero)) return undefined;
  return sent.base === zero ? 'base' : 'order';
}

/** The figure in both currencies, converted from the one that was sent. */
const postedIn = (missing: Currency, sent: InBoth, rated: RatedCurrencies): InBoth =>
  missing === 'base' ? postedInOrderCurrency(sent.order, rated) : postedInBase(sent.base, rated);

function withRow(line: OrderLine, coins: Coins): OrderLine {
  if (line.rowTotal !== undefined && line.baseRowTotal !== undefined) return line;
  const [price, row] = [twin('price'), twin('rowTotal')];
  const rows = currencies.map((currency): [string, Amount | undefined] => {
    const each = line[price[currency]];
    const worth = each === undefined ? undefined : scale(each, line.qtyOrdered, unitsPerWhole, coins[currency]);
    return [row[currency], line[row[currency]] ?? worth];
  });
  return { ...line, ...Object.fromEntries(rows) };
}

/** Fills totals that are missing in one currency: the sum of their parts, and the rest converted at the rate. */
function withTotals({ columns, lines }: PlacedFigures, rated: RatedCurrencies): PostedColumns {
  const own = lines.filter((line) => line.parentAt === undefined);
  const sum = (part: Twin) => inBoth((currency) => add(...own.map((line) => figureOf(line, part[currency]))));
  const discount = sum(twin('discountAmount'));
  const totals = [
    { total: twin('subtotal'), parts: sum(twin('rowTotal')) },
    { total: twin('taxAmount'), parts: sum(twin('taxAmount')) },
    { total: twin('discountAmount'), parts: inBoth((currency) => negate(discount[currency])) },
  ].reduce((sent, followed) => following(sent, followed, rated), columns);
  const whole = inBothCurrencies(totals, orderFigures, rated);
  const parts = inBoth((currency) => add(...grandParts.map((part) => figureOf(whole, part[currency]))));
  return following(whole, { total: twin('grandTotal'), parts }, rated);
}

const grandParts = ['subtotal', 'discountAmount', 'taxAmount', 'shippingAmount', 'discountTaxCompensationAmount'].map(
  twin,
);

interface Followed {
  total: Twin;
  /** The sum of its parts. */
  parts: InBoth;
}

function following(columns: PostedColumns, { total, parts }: Followed, rated: RatedCurrencies): PostedColumns {
  const sent = inBoth((currency) => figureOf(columns, total[currency]));
  const missing = missingIn(sent);
  if (missing === undefined) return columns;
  const beyond = inBoth((currency) => subtract(sent[currency], parts[currency]));
  return { ...columns, [total[missing]]: add(parts[missing], postedIn(missing, beyond, rated)[missing]) };
}

function refuseDeadEnd({ columns, lines }: PlacedFigures): void {
  const { grandTotal = zero, shippingAmount = zero, taxAmount = zero } = columns;
  if (!isPositive(grandTotal)) return;
  if (lines.length === 0) throw fieldRequired('items');
  // Money goes back for whole lines: what the parts of one cost is not asked for.
  const whole = lines.filter((line) => line.parentAt === undefined);
  const worth = whole.flatMap((line) => [figureOf(line, 'rowTotal'), figureOf(line, 'weeeTaxAppliedRowAmount')]);
  if (isPositive(add(...[...worth, shippingAmount, taxAmount].map(absolute)))) return;
  throw invalid('The lines of the order come to nothing, but its total is %grandTotal: none of it could be refunded.', {
    grandTotal: toWire(grandTotal),
  });
}

const paidOf = (columns: PostedColumns, numbers: OrderNumbers) =>
  paidAtPlacement({
    coins: coinsOf(codesOf(columns, numbers)),
    grandTotal: columns.grandTotal ?? zero,
    baseGrandTotal: columns.baseGrandTotal ?? zero,
    totalPaid: columns.totalPaid,
    baseTotalPaid: columns.baseTotalPaid,
  });

/**
 * The order's currencies and rates, when they are not posted. Refused with: 400 a rate that is missing and not known
 * here: otherwise every refund would calculate with a wrong rate.
 */
export function currenciesOf(columns: PostedColumns, numbers: OrderNumbers) {
  const { baseCurrencyCode, orderCurrencyCode } = codesOf(columns, numbers);
  const { grandTotal = zero, baseGrandTotal = zero } = columns;
  const view = { ...numbers, rate: numbers.currencyRate };
  const baseToOrderRate =
    columns.baseToOrderRate ?? rateOfOrder({ baseCurrencyCode, orderCurrencyCode, grandTotal, baseGrandTotal, view });
  if (baseToOrderRate === undefined) throw fieldRequired('baseToOrderRate');
  return {
    baseCurrencyCode,
    globalCurrencyCode: baseCurrencyCode,
    storeCurrencyCode: baseCurrencyCode,
    orderCurrencyCode,
    baseToOrderRate,
  };
}

/** The posted currency codes, else those of the store view. */
const codesOf = (columns: PostedColumns, numbers: OrderNumbers): OrderCurrencies => ({
  baseCurrencyCode: columns.baseCurrencyCode ?? numbers.baseCurrencyCode,
  orderCurrencyCode: columns.orderCurrencyCode ?? numbers.currencyCode,
});
