import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { defaultStatus, stateAfterHold } from '../../../domain/platform/order-state.ts';
import { applyOrderState } from './apply-order-state.ts';
import { withOrder } from './lock-order.ts';

/**
 * Lets a held order go on as what it was (platform facts 5.4); one that was posted as held begins anew. Then the state
 * gets what every save does to it: what was paid and handed over meanwhile counts (platform facts 5.3).
 *
 * Refused with: 404 unknown order · 400 an order that is not held.
 */
export const unholdOrder = (em: EntityManager, orderId: number): Promise<void> =>
  withOrder(em, orderId, async (tx, order) => {
    if (order.state !== 'holded') throw invalid('You cannot remove the hold.');
    const state = stateAfterHold(order.holdBeforeState);
    order.status = (state === order.holdBeforeState ? order.holdBeforeStatus : null) ?? defaultStatus[state];
    order.state = state;
    order.holdBeforeState = null;
    order.holdBeforeStatus = null;
    await applyOrderState(tx, order, 'save');
  });
