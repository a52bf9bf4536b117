import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import type { Amount } from '../../domain/money/amount.ts';
import { coinOf, toCoins } from '../../domain/money/coins.ts';
import type { PointsEntryKind } from '../../domain/reward-points/ledger.ts';
import { leastPoints, pointsRules, worthOf } from '../../domain/reward-points/points-rules.ts';
import type { CreditMoved, CreditMovement, CreditStore } from '../credit-stores/credit-store.ts';
import { readCreditScopeOfOrder } from '../credit-stores/read-credit-scope.ts';
import { movePoints } from './move-points.ts';

/**
 * Reward points as a credit store for orders. A register sends the points, and their value must equal the amount they
 * pay.
 */
export const pointsStore: CreditStore = {
  kind: 'reward_points',
  providerCode: 'reward_points',

  async spend(em, movement) {
    const points = movement.points ?? 0;
    await refuseUnlessWorth(em, { orderId: movement.orderId, points, baseAmount: movement.baseAmount });
    return move(em, movement, { kind: 'spent', delta: -points });
  },

  giveBack: (em, movement) => move(em, movement, { kind: 'returned', delta: movement.points ?? 0 }),
};

/** By the present terms of the order's store view. */
async function refuseUnlessWorth(
  em: EntityManager,
  { orderId, points, baseAmount }: { orderId: number; points: number; baseAmount: Amount },
): Promise<void> {
  const scope = await readCreditScopeOfOrder(em, orderId);
  const rules = scope && pointsRules(scope.settings);
  if (!scope || !rules?.isEnabled) throw invalid('Reward points are not taken here.');
  if (points <= 0) throw invalid('Say how many points are spent.');
  if (points < leastPoints(rules)) throw invalid('At least %1 points have to be spent at once.', [leastPoints(rules)]);
  if (points % rules.granularity !== 0) throw invalid('Points are spent in steps of %1.', [rules.granularity]);
  const worth = toCoins(worthOf(points, rules), coinOf(scope.baseCurrencyCode));
  if (worth < baseAmount) throw invalid('%1 points are not worth that much.', [points]);
}

async function move(
  em: EntityManager,
  { key, customerId, websiteId, orderId, reason }: CreditMovement,
  { kind, delta }: { kind: PointsEntryKind; delta: number },
): Promise<CreditMoved> {
  if (customerId === null) throw invalid('Points belong to a customer.');
  if (delta === 0) return { balanceAfter: null, transactionId: key };
  // A key allows one movement in each direction.
  const moved = await movePoints(em, { customerId, websiteId, kind, delta, orderId, reason, key: `${kind}:${key}` });
  return { balanceAfter: null, transactionId: `points-entry-${moved.entryId}` };
}
