import type { EntityManager } from '@mikro-orm/postgresql';
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
  type Twin,
} from '../../../domain/money.ts';
import { shownOptions, type EnteredOption } from '../../../domain/platform/catalog/entered-options.ts';
import { skuKey } from '../../../domain/platform/catalog/tier-rows.ts';
import {
  postedInBase,
  postedInOrderCurrency,
  type RatedCurrencies,
} from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { canHold, defaultStatus, type OrderState } from '../../../domain/platform/order-state.ts';
import {
  isReceivable,
  layawayStart,
  mayBeOwed,
  paidAtPlacement,
  skuOfLine,
  startOf,
  stockSkuOf,
} from '../../../domain/platform/placement.ts';
import { refuseWhileRefundUnderWay } from '../../../domain/platform/save-guard.ts';
import { holdNotAvailable } from '../../../domain/refusals/documents.ts';
import { isAmongSkus } from '../../support/columns.ts';
import { flag, integer, integers, definite, texts } from '../../support/entity-columns.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { insertRows, into, type Written } from '../../support/write-rows.ts';
import { Product } from '../catalog/product.entity.ts';
import { Reservation } from '../inventory/stock.entity.ts';
import { shippingDiscountTaxCompensation, weeeOfRow } from './add-order-comment.ts';
import { withOrder } from './lock-order.ts';
import { orderMoney } from './order-columns.ts';
import { OrderComment, OrderItem, orderItemMoney, OrderPayment } from './order-parts.entity.ts';
import {
  addressRows,
  codesOf,
  commentRows,
  lineRows,
  moneyInRows,
  orderRow,
  paymentRow,
  prepareOrder,
  ratedOf,
  reservationRows,
  type OrderLine,
  type OrderNumbers,
  type Placement,
} from './order-rows.ts';
import { MoneyIn, Order, OrderAddress } from './order.entity.ts';
import { saleFingerprint, type PostedColumns, type PostedLine, type PostedOrder } from './posted-order.ts';

export interface PlacedFigures {
  columns: PostedColumns;
  lines: readonly OrderLine[];
}

/**
 * Completes a new order's figures in both currencies, so that its payments can be refunded. Our choice: the platform
 * stores what is sent. A figure sent in one currency only is converted at the rate, in coins. A missing total is the
 * sum of its parts. A line without a row total gets its price times its quantity.
 *
 * Refused with: 400 an order with a value but without lines, or with lines of no value.
 */
function completeOrder(sent: PlacedFigures, rated: RatedCurrencies): PlacedFigures {
  const lines = sent.lines.map((line) => inBothCurrencies(withRow(line, coinsOf(rated)), lineFigures, rated));
  const columns = withTotals({ columns: sent.columns, lines }, rated);
  refuseDeadEnd({ columns, lines });
  return { columns, lines };
}

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

/**
 * Gives lines with custom options the names of what was entered, and the SKU under which their goods are stocked, where
 * the line's own is that of no product: the one of the line's product, as on the platform (platform facts 11). Lines
 * that a cart made have both already.
 */
async function withStockSkus(em: EntityManager, lines: readonly OrderLine[]): Promise<readonly OrderLine[]> {
  const open = lines.filter((line) => line.enteredOptions === undefined && optionsOf(line).length > 0);
  const productIds = open.flatMap(({ productId }) => productId ?? []);
  if (productIds.length === 0) return lines;
  const rows = await selectOrders.all(em, { productIds, skus: open.map(({ sku }) => sku) });
  const known = new Set(rows.filter(({ isSold }) => isSold).map(({ sku }) => skuKey(sku)));
  return lines.map((line) => {
    if (!open.includes(line)) return line;
    const product = rows.find(({ productId }) => productId === line.productId);
    const named = {
      ...line,
      enteredOptions: shownOptions({ options: product?.options ?? [], entered: optionsOf(line) }),
    };
    if (line.stockSku != null || line.productType === 'configurable' || known.has(skuKey(line.sku))) return named;
    return { ...named, stockSku: product?.sku ?? null };
  });
}

/** What the caller says was entered; whatever else it sent as options says nothing. */
function optionsOf({ productOption }: OrderLine): EnteredOption[] {
  const sent = productOption?.['extension_attributes'];
  if (typeof sent !== 'object' || sent === null || !('custom_options' in sent)) return [];
  const options: unknown = sent.custom_options;
  return Array.isArray(options) ? options.flatMap(enteredIn) : [];
}

function enteredIn(option: unknown): EnteredOption[] {
  if (typeof option !== 'object' || option === null || !('option_id' in option)) return [];
  const value: unknown = 'option_value' in option ? option.option_value : '';
  const isScalar = typeof value === 'string' || typeof value === 'number';
  return [{ optionId: Number(option.option_id), optionValue: isScalar ? String(value) : '' }];
}

const selectOrders = statement({
  takes: { productIds: integers, skus: texts },
  gives: { ...of(Product, 'sku', 'options'), productId: integer, isSold: definite(flag) },
  text: `
    select sku, entity_id as product_id, options, ${isAmongSkus('sku')} as is_sold from product
    where entity_id = any($productIds::bigint[]) or ${isAmongSkus('sku')}`,
});

/** The fields of a written order that other features need. */
export interface SavedOrder {
  orderId: number;
  incrementId: string;
  storeId: number;
  state: OrderState;
  customerId: number | null;
  posSaleId: string | null;
  posLayawayStatus: string | null;
  /** False for an existing order that was changed. */
  isNew: boolean;
  /** True when the sale was posted before: this is its existing order. */
  isReplayed?: boolean;
}

/**
 * Writes a new order as posted, with all its rows, in two round trips (platform facts 5.1).
 *
 * Refused with: 400 a line without sku, an order without payment, more paid than the order is worth, an order that
 * could never be refunded (`completeOrder`) · 404 unknown store.
 */
export async function insertOrder(
  em: EntityManager,
  { posted, storeId, now }: { posted: PostedOrder; storeId: number; now: Date },
): Promise<SavedOrder & { isReceivable: boolean; isOwed: boolean }> {
  const sent = { ...posted.columns, ...layawayStart(posted.columns) };
  const named = await withStockSkus(em, underTheirParts((posted.lines ?? []).map(complete)));
  const method = methodOf(posted);
  const start = startOf(sent.state, sent.status);
  const { incrementId } = sent;
  const numbers = await prepareOrder(em, { storeId, incrementId, skus: named.map(stockSkuOf) });
  const spelled = named.map((line) => inCatalog(line, numbers));
  const { columns, lines } = completeOrder({ columns: sent, lines: spelled }, ratedOf(sent, numbers));
  const paid = paidOf(columns, numbers);
  // An order that names no store belongs to the store of the request's path.
  const placed = { ...posted, columns: { ...columns, storeId } };
  const placement = { posted: placed, storeId, lines, method, start, paid, numbers, now };
  await insertRows(em, rowsOf({ ...placement, saleFingerprint: saleFingerprint(posted) }));
  return {
    orderId: numbers.orderId,
    incrementId: numbers.incrementId,
    storeId,
    state: start.state,
    customerId: columns.customerId ?? null,
    posSaleId: columns.posSaleId ?? null,
    posLayawayStatus: columns.posLayawayStatus ?? null,
    isNew: true,
    isReceivable: lines.length > 0 && isReceivable(start.state, receivableOf(columns)),
    isOwed: lines.length > 0 && mayBeOwed(start.state) && paid.amount < (columns.grandTotal ?? zero),
  };
}

const receivableOf = ({ posLayawayStatus, posCreditDue }: PostedColumns) => ({
  layawayStatus: posLayawayStatus,
  creditDue: posCreditDue,
});

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

/** A line names its product as the catalog does: stock and documents go by it. */
const inCatalog = (line: OrderLine, { storedSku }: OrderNumbers): OrderLine =>
  line.stockSku == null ? { ...line, sku: storedSku(line.sku) } : { ...line, stockSku: storedSku(line.stockSku) };

function methodOf({ payment }: PostedOrder): string {
  if (!payment?.method) throw fieldRequired(payment ? 'method' : 'payment');
  return payment.method;
}

const paidOf = (columns: PostedColumns, numbers: OrderNumbers) =>
  paidAtPlacement({
    coins: coinsOf(codesOf(columns, numbers)),
    grandTotal: columns.grandTotal ?? zero,
    baseGrandTotal: columns.baseGrandTotal ?? zero,
    totalPaid: columns.totalPaid,
    baseTotalPaid: columns.baseTotalPaid,
  });

const rowsOf = (placement: Placement): Written[] => [
  into(Order, [orderRow(placement)]),
  into(OrderPayment, [paymentRow(placement)]),
  into(OrderItem, lineRows(placement)),
  into(OrderAddress, addressRows(placement)),
  into(OrderComment, commentRows(placement)),
  into(Reservation, reservationRows(placement)),
  into(MoneyIn, moneyInRows(placement)),
];

/**
 * Holds an order until `unholdOrder`, and keeps the state it had (platform facts 5.4).
 *
 * Refused with: 404 unknown order · 400 an order that is finished, cancelled, under review or held already, one with a
 * refund under way.
 */
export const holdOrder = (em: EntityManager, orderId: number): Promise<void> =>
  withOrder(em, orderId, async (_tx, order) => {
    if (!canHold(order.state)) throw holdNotAvailable();
    refuseWhileRefundUnderWay(order);
    order.holdBeforeState = order.state;
    order.holdBeforeStatus = order.status;
    order.state = 'holded';
    order.status = defaultStatus.holded;
  });
