import { randomBytes } from 'node:crypto';
import { minus, none, subtract, zero } from '../../../domain/money.ts';
import { isOver, type OrderState } from '../../../domain/platform/order-state.ts';
import { isLayaway, isPaid, stockSkuOf, toPromise, type Paid } from '../../../domain/platform/placement.ts';
import type { NewRowOf } from '../../support/entity-columns.ts';
import { into, type Written } from '../../support/write-rows.ts';
import { Reservation } from '../inventory/stock.entity.ts';
import { currenciesOf } from './complete-order.ts';
import { OrderComment, OrderItem, OrderPayment } from './order-parts.entity.ts';
import { MoneyIn, Order, OrderAddress } from './order.entity.ts';
import type { OrderLine, PostedAddress, PostedOrder } from './posted-order.ts';
import type { OrderNumbers } from './prepare-order.ts';

/** A posted order with all decisions about it. */
export interface Placement {
  posted: PostedOrder;
  storeId: number;
  lines: readonly OrderLine[];
  method: string;
  start: { state: OrderState; status: string };
  paid: Paid;
  numbers: OrderNumbers;
  now: Date;
  /** The digest of what was posted with a sale id. */
  saleFingerprint: string | null;
}

/** All rows of a new order: the posted values and those that only the server sets (platform facts 5.1). */
export const rowsOf = (placement: Placement): Written[] => [
  into(Order, [orderRow(placement)]),
  into(OrderPayment, [paymentRow(placement)]),
  into(OrderItem, lineRows(placement)),
  into(OrderAddress, addressRows(placement)),
  into(OrderComment, commentRows(placement)),
  into(Reservation, reservationRows(placement)),
  into(MoneyIn, moneyInRows(placement)),
];

function orderRow(placement: Placement): NewRowOf<typeof Order> {
  const { posted, storeId, lines, start, paid, numbers, now } = placement;
  const { columns } = posted;
  const grandTotal = columns.grandTotal ?? zero;
  return {
    ...columns,
    storeId,
    ...currenciesOf(columns, numbers),
    ...start,
    entityId: numbers.orderId,
    incrementId: numbers.incrementId,
    storeName: numbers.storeName,
    protectCode: randomBytes(16).toString('hex'),
    posSaleFingerprint: placement.saleFingerprint,
    totalPaid: paid.amount,
    baseTotalPaid: paid.baseAmount,
    totalItemCount: lines.filter((line) => line.parentAt === undefined).length,
    // The columns are the source; the attribute is made from them (spec 2.13).
    ...(isLayaway(start.state, columns.posLayawayStatus)
      ? { posLayawayBalanceOwed: subtract(grandTotal, paid.amount) }
      : {}),
    billingAddressId: posted.billingAddress ? numbers.billingAddressId : null,
    shippingAddressId: posted.shippingAddress ? numbers.shippingAddressId : null,
    createdAt: now,
    updatedAt: now,
  };
}

function lineRows({ posted, lines, numbers, now }: Placement): NewRowOf<typeof OrderItem>[] {
  return lines.map((line, at) => ({
    storeId: posted.columns.storeId,
    ...line,
    itemId: numbers.itemIds[at],
    order: numbers.orderId,
    isReturnable: !numbers.finalSkus.has(stockSkuOf(line)),
    parentItemId: line.parentAt === undefined ? null : numbers.itemIds[line.parentAt],
    createdAt: now,
    updatedAt: now,
  }));
}

function paymentRow({ posted, method, paid, numbers }: Placement): NewRowOf<typeof OrderPayment> {
  return {
    amountOrdered: posted.columns.grandTotal,
    baseAmountOrdered: posted.columns.baseGrandTotal,
    ...posted.payment,
    method,
    amountPaid: paid.amount,
    baseAmountPaid: paid.baseAmount,
    order: numbers.orderId,
  };
}

function addressRows({ posted, numbers }: Placement): NewRowOf<typeof OrderAddress>[] {
  const row = (address: PostedAddress | undefined, addressType: 'billing' | 'shipping', entityId: number) =>
    address ? [{ ...address, addressType, entityId, order: numbers.orderId }] : [];
  return [
    ...row(posted.billingAddress, 'billing', numbers.billingAddressId),
    ...row(posted.shippingAddress, 'shipping', numbers.shippingAddressId),
  ];
}

/** The shop's first comments, then those the caller posted. */
function commentRows({ posted, start, numbers, now }: Placement): NewRowOf<typeof OrderComment>[] {
  const sale = posted.columns.posSaleId ? ` Sale ${posted.columns.posSaleId}.` : '';
  const placed = { comment: `The order was placed.${sale}`, status: start.status };
  return [placed, ...(posted.comments ?? []), ...(posted.ownComments ?? [])].map((comment) => ({
    ...comment,
    parentId: numbers.orderId,
    createdAt: now,
  }));
}

/**
 * The order's reservations: every managed product, less what is already handed over. An order that is posted as
 * finished reserves nothing, because no later step would end the reservation.
 */
function reservationRows({ lines, start, numbers }: Placement): NewRowOf<typeof Reservation>[] {
  const { stockId, managedSkus } = numbers;
  if (stockId === null || isOver(start.state)) return [];
  return lines
    .filter((line) => line.parentAt === undefined && managedSkus.has(stockSkuOf(line)) && toPromise(line) > none)
    .map((line) => ({
      stockId,
      sku: stockSkuOf(line),
      quantity: minus(none, toPromise(line)),
      eventType: 'order_placed',
      orderId: numbers.orderId,
    }));
}

const moneyInRows = ({ paid, method, numbers }: Placement): NewRowOf<typeof MoneyIn>[] =>
  isPaid(paid) ? [{ orderId: numbers.orderId, kind: 'placement', method, ...paid }] : [];
