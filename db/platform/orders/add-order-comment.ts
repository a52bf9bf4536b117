import type { EntityManager } from '@mikro-orm/postgresql';
import { insertRows, into, type Written } from '../../support/write-rows.ts';
import { OrderComment } from './order-comment.entity.ts';
import { shopNow } from '../../support/shop-clock.ts';

export interface NewOrderComment {
  orderId: number;
  comment: string;
  /** The status shown with the comment; the order itself does not change. */
  status: string;
  /** The document that the comment is about; `order` by default. */
  entityName?: 'order' | 'invoice' | 'creditmemo' | 'shipment';
  isCustomerNotified?: boolean;
  isVisibleOnFront?: boolean;
}

/** Adds a line to an order's history, in the caller's transaction (platform facts 5.2). A repeat adds another line. */
export const addOrderComment = (em: EntityManager, comment: NewOrderComment): Promise<void> =>
  insertRows(em, [orderComments([comment])]);

/** Lines of an order's history, for a statement that also writes other rows. */
export const orderComments = (comments: readonly NewOrderComment[]): Written =>
  into(
    OrderComment,
    comments.map((given) => ({
      parentId: given.orderId,
      comment: given.comment,
      status: given.status,
      entityName: given.entityName ?? 'order',
      isCustomerNotified: given.isCustomerNotified ? 1 : 0,
      isVisibleOnFront: given.isVisibleOnFront ? 1 : 0,
      createdAt: shopNow(),
    })),
  );
