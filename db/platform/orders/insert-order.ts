import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired } from '../../../domain/errors.ts';
import { zero } from '../../../domain/money/amount.ts';
import { coinsOf } from '../../../domain/money/coins.ts';
import { none } from '../../../domain/money/quantity.ts';
import { isReceivable, layawayStart, mayBeOwed, paidAtPlacement, startOf } from '../../../domain/platform/placement.ts';
import type { OrderState } from '../../../domain/platform/order-state.ts';
import { skuOfLine, stockSkuOf } from '../../../domain/platform/sku-of-line.ts';
import { insertRows, into, type Written } from '../../support/write-rows.ts';
import { Reservation } from '../inventory/reservation.entity.ts';
import { completeOrder } from './complete-order.ts';
import { MoneyIn } from './money-in.entity.ts';
import { OrderAddress } from './order-address.entity.ts';
import { OrderComment } from './order-comment.entity.ts';
import { OrderItem } from './order-item.entity.ts';
import { OrderPayment } from './order-payment.entity.ts';
import {
  addressRows,
  codesOf,
  commentRows,
  lineRows,
  ratedOf,
  moneyInRows,
  orderRow,
  paymentRow,
  reservationRows,
  type OrderLine,
  type Placement,
} from './order-rows.ts';
import { Order } from './order.entity.ts';
import type { PostedColumns, PostedLine, PostedOrder } from './posted-order.ts';
import { prepareOrder, type OrderNumbers } from './prepare-order.ts';
import { saleFingerprint } from './sale-fingerprint.ts';
import { withStockSkus } from './with-stock-skus.ts';

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
