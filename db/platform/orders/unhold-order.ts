import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { defaultStatus, orderStates } from '../../../domain/platform/order-state.ts';
import { transact } from '../../support/transact.ts';
import { lockOrder } from './lock-order.ts';

/**
 * Lets a held order go on as what it was (platform facts 5.4); one that was posted as held begins anew.
 *
 * Refused with: 404 unknown order · 400 an order that is not held.
 */
export const unholdOrder = (em: EntityManager, orderId: number): Promise<void> =>
  transact(em, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order.state !== 'holded') throw invalid('You cannot remove the hold.');
    const before = orderStates.find((state) => state === order.holdBeforeState && state !== 'holded');
    order.state = before ?? 'new';
    order.status = (before && order.holdBeforeStatus) ?? defaultStatus[order.state];
    order.holdBeforeState = null;
    order.holdBeforeStatus = null;
  });
