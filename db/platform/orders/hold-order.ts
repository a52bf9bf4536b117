import type { EntityManager } from '@mikro-orm/postgresql';
import { canHold, defaultStatus, stateAfterHold } from '../../../domain/platform/order-state.ts';
import { refuseWhileRefundUnderWay } from '../../../domain/platform/save-guard.ts';
import { holdNotAvailable, holdNotRemovable } from '../../../domain/refusals/documents.ts';
import { applyOrderState } from './add-order-comment.ts';
import { withOrder } from './lock-order.ts';

/**
 * Holds an order until `unholdOrder`, and keeps the state it had (platform facts 5.4).
 *
 * Refused with: 404 unknown order · 400 an order that is finished, cancelled, under review or held already, one with a
 * refund under way.
 */
export const holdOrder = (em: EntityManager, orderId: number): Promise<void> =>
  withOrder(em, orderId, async (_tx, order) => {
    if (!canHold(order.state)) throw holdNotAvailable();
    refuseWhileRefundUnderWay(order);
    order.holdBeforeState = order.state;
    order.holdBeforeStatus = order.status;
    order.state = 'holded';
    order.status = defaultStatus.holded;
  });

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
