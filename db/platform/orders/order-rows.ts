import { randomBytes } from 'node:crypto';
import { fieldRequired } from '../../../domain/errors.ts';
import { subtract, zero } from '../../../domain/money/amount.ts';
import type { OrderCurrencies } from '../../../domain/money/coins.ts';
import { minus, none } from '../../../domain/money/quantity.ts';
import type { RatedCurrencies } from '../../../domain/platform/credit-memos/credit-memo-currencies.ts';
import { rateOfOrder } from '../../../domain/platform/order-rate.ts';
import { isOver, type OrderState } from '../../../domain/platform/order-state.ts';
import { isLayaway, isPaid, toPromise, type Paid } from '../../../domain/platform/placement.ts';
import { stockSkuOf } from '../../../domain/platform/sku-of-line.ts';
import type { NewRowOf } from '../../support/entity-columns.ts';
import type { Reservation } from '../inventory/reservation.entity.ts';
import type { MoneyIn } from './money-in.entity.ts';
import type { OrderAddress } from './order-address.entity.ts';
import type { OrderComment } from './order-comment.entity.ts';
import type { OrderItem } from './order-item.entity.ts';
import type { OrderPayment } from './order-payment.entity.ts';
import type { Order } from './order.entity.ts';
import type { PostedAddress, PostedColumns, PostedLine, PostedOrder } from './posted-order.ts';
import type { OrderNumbers } from './prepare-order.ts';

/** The rows of a new order: the posted values and those that only the server sets (platform facts 5.1). */

/** A line with its product and its quantity. */
export type OrderLine = PostedLine & { sku: string; qtyOrdered: NonNullable<PostedLine['qtyOrdered']> };

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

export function orderRow(placement: Placement): NewRowOf<typeof Order> {
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

/**
 * The order's currencies and rates, when they are not posted. Refused with: 400 a rate that is missing and not known
 * here: otherwise every refund would calculate with a wrong rate.
 */
function currenciesOf(columns: PostedColumns, numbers: OrderNumbers) {
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
export const codesOf = (columns: PostedColumns, numbers: OrderNumbers): OrderCurrencies => ({
  baseCurrencyCode: columns.baseCurrencyCode ?? numbers.baseCurrencyCode,
  orderCurrencyCode: columns.orderCurrencyCode ?? numbers.currencyCode,
});

/** The codes with the rate between them. Refused with: 400 a rate that is neither posted nor known. */
export const ratedOf = (columns: PostedColumns, numbers: OrderNumbers): RatedCurrencies =>
  currenciesOf(columns, numbers);

export function lineRows({ posted, lines, numbers, now }: Placement): NewRowOf<typeof OrderItem>[] {
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

export function paymentRow({ posted, method, paid, numbers }: Placement): NewRowOf<typeof OrderPayment> {
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

export function addressRows({ posted, numbers }: Placement): NewRowOf<typeof OrderAddress>[] {
  const row = (address: PostedAddress | undefined, addressType: 'billing' | 'shipping', entityId: number) =>
    address ? [{ ...address, addressType, entityId, order: numbers.orderId }] : [];
  return [
    ...row(posted.billingAddress, 'billing', numbers.billingAddressId),
    ...row(posted.shippingAddress, 'shipping', numbers.shippingAddressId),
  ];
}

/** The shop's first comments, then those the caller posted. */
export function commentRows({ posted, start, numbers, now }: Placement): NewRowOf<typeof OrderComment>[] {
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
export function reservationRows({ lines, start, numbers }: Placement): NewRowOf<typeof Reservation>[] {
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

export const moneyInRows = ({ paid, method, numbers }: Placement): NewRowOf<typeof MoneyIn>[] =>
  isPaid(paid) ? [{ orderId: numbers.orderId, kind: 'placement', method, ...paid }] : [];
