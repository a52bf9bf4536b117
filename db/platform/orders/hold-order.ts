import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { canHold, defaultStatus } from '../../../domain/platform/order-state.ts';
import { refuseWhileRefundUnderWay } from '../../../domain/platform/refund-under-way.ts';
import { withOrder } from './lock-order.ts';

/**
 * Holds an order until `unholdOrder`, and keeps the state it had (platform facts 5.4).
 *
 * Refused with: 404 unknown order · 400 an order that is finished, cancelled, under review or held already, one with a
 * refund under way.
 */
export const holdOrder = (em: EntityManager, orderId: number): Promise<void> =>
  withOrder(em, orderId, async (_tx, order) => {
    if (!canHold(order.state)) throw invalid('A hold action is not available.');
    refuseWhileRefundUnderWay(order);
    order.holdBeforeState = order.state;
    order.holdBeforeStatus = order.status;
    order.state = 'holded';
    order.status = defaultStatus.holded;
  });
