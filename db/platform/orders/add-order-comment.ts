import type { EntityManager } from '@mikro-orm/postgresql';
import { OrderComment } from './order-comment.entity.ts';
import { Order } from './order.entity.ts';

export interface NewOrderComment {
  orderId: number;
  comment: string;
  /** The order's own status unless told otherwise; the order itself is not touched. */
  status?: string;
  /** Which document speaks: `order` unless told otherwise. */
  entityName?: 'order' | 'invoice' | 'creditmemo' | 'shipment';
  isCustomerNotified?: boolean;
  isVisibleOnFront?: boolean;
}

/** Adds a line to an order's history, in the caller's transaction (platform facts 5.2). A repeat adds another line. */
export async function addOrderComment(em: EntityManager, given: NewOrderComment): Promise<OrderComment> {
  const status = given.status ?? (await em.findOneOrFail(Order, { entityId: given.orderId })).status;
  return em.create(OrderComment, {
    parentId: given.orderId,
    comment: given.comment,
    status,
    entityName: given.entityName ?? 'order',
    isCustomerNotified: given.isCustomerNotified ? 1 : 0,
    isVisibleOnFront: given.isVisibleOnFront ? 1 : 0,
  });
}
