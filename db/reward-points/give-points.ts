import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '../audit/record-audit.ts';
import { transact } from '../support/transact.ts';
import { movePoints, type PointsMoved } from './move-points.ts';
import { PointsEntry } from './points-account.entity.ts';

export interface CreditedPoints {
  customerId: number;
  websiteId: number;
  /** Negative to take points away. */
  points: number;
  reason: string;
  /** The same key gives nothing more; absent: each call gives again. */
  key?: string;
}

/**
 * Gives a customer points by hand, or takes some away, with an audit entry. Refused with: 404 unknown customer or
 * website · 400 zero points, a balance below zero.
 */
export const givePointsByHand = (em: EntityManager, input: CreditedPoints): Promise<PointsMoved> =>
  transact(em, async (tx) => {
    const { customerId, websiteId, points, reason, key = `by-hand-${randomUUID()}` } = input;
    const kind = points > 0 ? 'given' : 'adjusted';
    const isRepeat = (await tx.count(PointsEntry, { key })) > 0;
    const moved = await movePoints(tx, { customerId, websiteId, kind, delta: points, orderId: null, reason, key });
    if (isRepeat) return moved;
    await recordAudit(tx, {
      entityType: 'reward_points',
      entityId: customerId,
      fieldName: 'balance',
      oldValue: String(moved.balanceAfter + moved.owedTaken - points),
      newValue: String(moved.balanceAfter),
      changeSource: 'admin',
    });
    return moved;
  });
