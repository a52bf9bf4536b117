import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { defaultStatus, stateAfterHold } from '../../../domain/platform/order-state.ts';
import { applyOrderState } from './apply-order-state.ts';
import { withOrder } from './lock-order.ts';

/**
 * Ends the hold of an order: it gets back the state it had (platform facts 5.4). An order that was posted as held
 * starts in the state `new`. Then the rule of every save applies, because the order may have been paid or shipped
 * meanwhile (platform facts 5.3).
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
