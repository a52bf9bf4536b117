import type { EntityManager } from '@mikro-orm/postgresql';
import type { OrderState } from '../../../domain/platform/order-state.ts';
import type { PostedOrder } from './posted-order.ts';

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
 * A hook that runs when an order is saved, in the same transaction; `posted` is the request. Registered in the
 * wiring. A new order's hooks run before its state is computed, so that their payments count.
 */
export type OrderHook = (em: EntityManager, order: SavedOrder, posted: PostedOrder) => Promise<void>;
