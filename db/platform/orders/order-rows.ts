import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, noSuchStore } from '../../../domain/errors.ts';
import { minus, none, subtract, zero, type OrderCurrencies } from '../../../domain/money.ts';
import { storedSkuAmong } from '../../../domain/platform/catalog/tier-rows.ts';
import type { RatedCurrencies } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { isOver, rateOfOrder, type OrderState } from '../../../domain/platform/order-state.ts';
import { isLayaway, isPaid, stockSkuOf, toPromise, type Paid } from '../../../domain/platform/placement.ts';
import { isAmongSkus } from '../../support/columns.ts';
import {
  decimal,
  integer,
  integers,
  orNull,
  definite,
  text,
  texts,
  type NewRowOf,
} from '../../support/entity-columns.ts';
import { statement } from '../../support/statement.ts';
import type { Reservation } from '../inventory/stock.entity.ts';
import type { OrderComment, OrderItem, OrderPayment } from './order-parts.entity.ts';
import type { MoneyIn, Order, OrderAddress } from './order.entity.ts';
import type { PostedAddress, PostedColumns, PostedLine, PostedOrder } from './posted-order.ts';

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

/** What a new order needs before it is written: its numbers, and data of its store and the catalog. */
export interface OrderNumbers {
  orderId: number;
  incrementId: string;
  itemIds: readonly number[];
  billingAddressId: number;
  shippingAddressId: number;
  storeName: string;
  baseCurrencyCode: string;
  currencyCode: string;
  currencyRate: string;
  /** The stock the store sells from; null when its website has none. */
  stockId: number | null;
  /** The products whose stock is managed. */
  managedSkus: ReadonlySet<string>;
  /** The products that cannot be returned: their attribute `is_returnable` is 0. */
  finalSkus: ReadonlySet<string>;
  /** How the catalog writes a SKU; one that it does not have stays as it was posted. */
  storedSku: (sku: string) => string;
}

/**
 * Draws the numbers of a new order and reads the data of its store and products, in one round trip. Products that the
 * order will reserve cannot be deleted until it is committed.
 *
 * Refused with: 404 unknown store.
 */
export async function prepareOrder(
  em: EntityManager,
  { storeId, incrementId, skus }: { storeId: number; incrementId: string | undefined; skus: readonly string[] },
): Promise<OrderNumbers> {
  const row = await prepare.first(em, { incrementId: incrementId ?? null, lines: skus.length, skus, storeId });
  if (!row) throw noSuchStore();
  const { managedSkus, finalSkus, knownSkus, ...numbers } = row;
  return {
    ...{ ...numbers, managedSkus: new Set(managedSkus), finalSkus: new Set(finalSkus) },
    storedSku: storedSkuAmong(knownSkus),
  };
}

const prepare = statement({
  takes: { incrementId: orNull(text), lines: integer, skus: texts, storeId: integer },
  gives: {
    orderId: definite(integer),
    incrementId: definite(text),
    itemIds: definite(integers),
    billingAddressId: definite(integer),
    shippingAddressId: definite(integer),
    storeName: definite(text),
    baseCurrencyCode: text,
    currencyCode: text,
    currencyRate: decimal,
    stockId: orNull(integer),
    managedSkus: definite(texts),
    finalSkus: definite(texts),
    knownSkus: definite(texts),
  },
  text: `
    with known as materialized (
      select p.sku, p.custom_attributes ->> 'is_returnable' in ('0', 'false') as is_final from product p
      where ${isAmongSkus('p.sku')}),
    managed as materialized (
      select p.sku from product p where p.manage_stock and p.sku in (select sku from known)
        order by p.sku for key share)
    select nextval('sales_order_entity_id_seq') as order_id,
      coalesce($incrementId::text, next_increment_id('order', v.store_id)) as increment_id,
      array(select nextval('sales_order_item_item_id_seq') from generate_series(1, $lines::int)) as item_ids,
      nextval('sales_order_address_entity_id_seq') as billing_address_id,
      nextval('sales_order_address_entity_id_seq') as shipping_address_id,
      concat_ws(E'\\n', w.name, g.name, v.name) as store_name,
      w.base_currency_code, v.currency_code, v.currency_rate,
      (select s.stock_id from inventory_stock s where s.website_codes @> to_jsonb(array[w.code])
       order by s.stock_id limit 1) as stock_id,
      array(select sku from managed) as managed_skus,
      array(select sku from known where is_final) as final_skus, array(select sku from known) as known_skus
    from store_view v
      join website w on w.website_id = v.website_id
      left join store_group g on g.group_id = v.store_group_id
    where v.store_id = $storeId`,
});
