import type { EntityManager } from '@mikro-orm/postgresql';
import { moneyOf, twins, zero, type Amount } from '../../domain/money.ts';
import {
  pointsOfOrder,
  pointsRules,
  voidedPoints,
  type EarningOrder,
  type PointsRules,
} from '../../domain/reward-points.ts';
import { readCreditScopeOfOrder } from '../credit-stores/read-credit-scope.ts';
import { lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { integer } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { movePoints, voidPoints } from './move-points.ts';
import { findPoints, readPointsOfOrder, returnedOf } from './read-points.ts';

/**
 * Computes the due points of one order, under the order lock: earned once when it is paid in full, voided in
 * proportion to the goods that came back. The same transaction takes the order off the list of due points.
 *
 * Points that were spent since cannot be voided: the available ones are taken, and the rest is owed and taken from
 * later points (our choice). While points are disabled nothing is earned, then or later; points earned before are still
 * voided. Safe to repeat: each entry has a separate key.
 */
export const settlePointsOfOrder = (em: EntityManager, orderId: number): Promise<void> =>
  transact(em, async (tx) => {
    const order = await lockOrder(tx, orderId);
    const scope = await readCreditScopeOfOrder(tx, orderId);
    if (scope && order.customerId !== null && (await findPoints(tx, order.customerId, scope.websiteId)) !== undefined) {
      const account = { customerId: order.customerId, websiteId: scope.websiteId };
      await book(tx, order, { account, rules: pointsRules(scope.settings) });
    }
    await settled.run(tx, { orderId });
  });

const settled = sql('settle-points-of-order.settled')`delete from reward_points_due where order_id = $orderId`;

interface Terms {
  account: { customerId: number; websiteId: number };
  rules: PointsRules;
}

async function book(em: EntityManager, order: LockedOrder, { account, rules }: Terms): Promise<void> {
  const orderId = order.entityId;
  const before = await readPointsOfOrder(em, orderId, account.websiteId);
  const earning = await figuresOf(em, order);
  const due = before?.earned === 0 && rules.isEnabled ? pointsOfOrder(earning, rules) : 0;
  if (due > 0) {
    const reason = `Earned with order ${order.incrementId}`;
    await movePoints(em, { ...account, kind: 'earned', delta: due, orderId, reason, key: `order-${orderId}-earned` });
  }
  if (!before) return;
  const target = voidedPoints(before.earned + due, returnedOf(before), rules.granularity);
  const points = target - before.voided - before.owed;
  if (points > 0) await voidPoints(em, { ...account, orderId, orderNumber: order.incrementId, points });
}

const figures = twins('grandTotal', 'subtotal', 'discountAmount', 'totalPaid', 'totalRefunded');

async function figuresOf(em: EntityManager, order: LockedOrder): Promise<EarningOrder> {
  return {
    state: order.state,
    hasCustomer: order.customerId !== null,
    ...moneyOf(order, figures, 'base'),
    paidWithPoints: await paidWithPoints(em, order),
  };
}

const paidWithPoints = async (em: EntityManager, { entityId: orderId }: LockedOrder): Promise<Amount> =>
  (await readPaid.first(em, { orderId }))?.paid ?? zero;

const readPaid = sql('settle-points-of-order.readPaid')`
  select coalesce(sum(base_amount), 0) as paid from order_credit
  where order_id = $orderId and kind = 'reward_points' and applies_as = 'tender'`;

/** The most that one sweep takes; the next sweep comes a minute later. */
const mostAtOnce = 500;

/** Orders whose points must be computed, the oldest first. Reads only, by index. */
export async function findDuePoints(em: EntityManager): Promise<number[]> {
  const rows = await selectPointsOfOrder.all(em, { mostAtOnce });
  return rows.map(({ orderId }) => orderId);
}

const selectPointsOfOrder = sql('settle-points-of-order.selectPointsOfOrder', { gives: { orderId: integer } })`
  select order_id from reward_points_due order by created_at limit $mostAtOnce`;
