import { hash } from 'node:crypto';
import { canonicalJson } from '../../../domain/canonical-json.ts';
import type { Quantity } from '../../../domain/money.ts';
import type { OrderItem, OrderPayment } from './order-parts.entity.ts';
import type { Order, OrderAddress } from './order.entity.ts';

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

/** A line with its product and its quantity. */
export type OrderLine = PostedLine & { sku: string; qtyOrdered: NonNullable<PostedLine['qtyOrdered']> };

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
