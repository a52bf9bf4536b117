import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { canonicalJson } from '../../../domain/canonical-json.ts';
import { noSuchDocument } from '../../../domain/errors.ts';
import type { Quantity } from '../../../domain/money.ts';
import { defaultStatus, stateAfterHold } from '../../../domain/platform/order-state.ts';
import { holdNotRemovable } from '../../../domain/refusals/documents.ts';
import { definedFields } from '../../support/defined-fields.ts';
import { addOrderComment, applyOrderState } from './add-order-comment.ts';
import { withOrder } from './lock-order.ts';
import { OrderStatusState, type OrderItem, type OrderPayment } from './order-parts.entity.ts';
import { OrderAddress, type Order } from './order.entity.ts';

/** An order as a caller sends it: its own facts, without calculated ones (platform facts 5.1). */

type Posted<Entity, Kept extends keyof Entity> = {
  [Key in Exclude<keyof Entity, Kept | symbol>]?: Entity[Key] | undefined;
};

export type PostedAddress = Posted<OrderAddress, 'entityId' | 'order' | 'addressType'>;

export type PostedPayment = Posted<OrderPayment, 'entityId' | 'order' | 'method'> & { method?: string | undefined };

export type PostedLine = Posted<
  OrderItem,
  'order' | 'parentItemId' | 'sku' | 'qtyOrdered' | 'createdAt' | 'updatedAt'
> & {
  sku?: string | undefined;
  qtyOrdered?: Quantity | undefined;
  /** The position, in the list of lines, of this line's parent. */
  parentAt?: number | undefined;
};

export interface PostedComment {
  comment?: string | null | undefined;
  status?: string | null | undefined;
  isCustomerNotified?: number | null | undefined;
  isVisibleOnFront?: number | undefined;
}

/** Columns that only the server sets: numbers, secrets, times, and what it calculates. */
type ServerSet =
  | 'entityId'
  | 'storeName'
  | 'protectCode'
  | 'returnedWithoutMemo'
  | 'baseReturnedWithoutMemo'
  | 'differenceRefunded'
  | 'baseDifferenceRefunded'
  | 'totalDue'
  | 'baseTotalDue'
  | 'totalItemCount'
  | 'billingAddressId'
  | 'shippingAddressId'
  | 'posLayawayFollowedAt'
  | 'posSaleFingerprint'
  | 'createdAt'
  | 'updatedAt'
  | 'items'
  | 'addresses'
  | 'payment';

/** The columns of an order that may be posted, by the names of its properties. */
export type PostedColumns = Posted<Order, ServerSet>;

export interface PostedOrder {
  columns: PostedColumns;
  lines?: readonly PostedLine[] | undefined;
  billingAddress?: PostedAddress | undefined;
  shippingAddress?: PostedAddress | undefined;
  payment?: PostedPayment | undefined;
  comments?: readonly PostedComment[] | undefined;
  /** Comments that the shop adds to a new order; they were not posted. */
  ownComments?: readonly PostedComment[] | undefined;
  /** Extension attributes that the platform does not use, as they were sent. Hooks read them. */
  extras?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * A digest of what a register posted for a sale, in 64 characters; null for an order without a sale id.
 *
 * Every posted value counts (our choice). Spelling of numbers, order of keys and absent fields do not. Later changes of
 * the order do not count either.
 */
export const saleFingerprint = ({ ownComments: _ours, ...posted }: PostedOrder): string | null =>
  posted.columns.posSaleId ? hash('sha256', canonicalJson(posted)) : null;

/** An address of an order as its route saves it: found by its id, or by its type. */
export interface AddressToSave {
  orderId: number;
  entityId?: number | undefined;
  addressType: 'billing' | 'shipping';
  address: PostedAddress;
}

/**
 * Changes the sent fields of an order's address and keeps the others. It adds an address that the order does not have
 * yet (platform facts 5.4). Under the order lock; a repeat changes nothing more.
 *
 * Refused with: 404 unknown order, an address of another order.
 */
export const saveOrderAddress = (
  em: EntityManager,
  { orderId, entityId, addressType, address }: AddressToSave,
): Promise<OrderAddress> =>
  withOrder(em, orderId, async (tx, order) => {
    const which = entityId === undefined ? { addressType } : { entityId };
    const known = await tx.findOne(OrderAddress, { order: orderId, ...which }, { refresh: true });
    if (!known && entityId !== undefined) throw noSuchDocument();
    const saved = known
      ? tx.assign(known, definedFields(address))
      : tx.create(OrderAddress, { ...definedFields(address), order: orderId, addressType });
    await tx.flush();
    if (saved.addressType === 'billing') order.billingAddressId = saved.entityId;
    else order.shippingAddressId = saved.entityId;
    return saved;
  });

export interface OrderRemark {
  orderId: number;
  comment: string;
  status?: string | undefined;
  isCustomerNotified: boolean;
  isVisibleOnFront: boolean;
}

/**
 * Adds a line to an order's history. A status that belongs to the order's state becomes the order's status. Any other
 * status, or an absent one, leaves it (platform facts 5.4). A repeat adds another line.
 *
 * Refused with: 404 unknown order.
 */
export const commentOrder = (em: EntityManager, { orderId, status, ...remark }: OrderRemark): Promise<void> =>
  withOrder(em, orderId, async (tx, order) => {
    if (status !== undefined && (await isStatusOf(tx, status, order.state))) order.status = status;
    await addOrderComment(tx, { orderId, ...remark, status: order.status });
  });

const isStatusOf = async (em: EntityManager, status: string, state: keyof typeof defaultStatus) =>
  (await em.count(OrderStatusState, { status, state })) > 0;

/**
 * Ends the hold of an order: it gets back the state it had (platform facts 5.4). An order that was posted as held
 * starts in the state `new`. Then the rule of every save applies, because the order may have been paid or shipped
 * meanwhile (platform facts 5.3).
 *
 * Refused with: 404 unknown order · 400 an order that is not held.
 */
export const unholdOrder = (em: EntityManager, orderId: number): Promise<void> =>
  withOrder(em, orderId, async (tx, order) => {
    if (order.state !== 'holded') throw holdNotRemovable();
    const state = stateAfterHold(order.holdBeforeState);
    order.status = (state === order.holdBeforeState ? order.holdBeforeStatus : null) ?? defaultStatus[state];
    order.state = state;
    order.holdBeforeState = null;
    order.holdBeforeStatus = null;
    await applyOrderState(tx, order, 'save');
  });
