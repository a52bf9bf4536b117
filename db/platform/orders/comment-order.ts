import type { EntityManager } from '@mikro-orm/postgresql';
import type { defaultStatus } from '../../../domain/platform/order-state.ts';
import { addOrderComment } from './add-order-comment.ts';
import { withOrder } from './lock-order.ts';
import { OrderStatusState } from './order-parts.entity.ts';

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
