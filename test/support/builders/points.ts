import type { EntityManager } from '@mikro-orm/postgresql';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { movePoints, type PointsMove } from '../../../db/reward-points/move-points.ts';
import { transact } from '../../../db/support/transact.ts';
import { secretBox } from './counter.ts';

/** Switches points on for the whole shop: by default one point for a dollar, worth a cent. */
export async function pointsOn(em: EntityManager, more: Record<string, string> = {}): Promise<void> {
  const settings = { 'general/enabled': '1', ...more };
  for (const [path, value] of Object.entries(settings))
    await setConfigValue(em, secretBox, { path: `vendor_reward_points/${path}`, value });
}

let moved = 0;

/** Points of a customer on website 1, as an administrator gives them. */
export const givePoints = (em: EntityManager, customerId: number, points: number) =>
  move(em, { customerId, kind: 'given', delta: points });

/** Takes points of a member for a sale that no order tells of. */
export const spendPoints = (em: EntityManager, customerId: number, points: number) =>
  move(em, { customerId, kind: 'spent', delta: -points });

const move = (em: EntityManager, wanted: Pick<PointsMove, 'customerId' | 'kind' | 'delta'>) =>
  transact(em, (tx) =>
    movePoints(tx, { websiteId: 1, orderId: null, reason: 'welcome', key: `moved-${++moved}`, ...wanted }),
  );
