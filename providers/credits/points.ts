import { movePoints } from '../../db/reward-points/move-points.ts';
import { findPoints, readPointsOfOrder, type PointsOfOrderRow } from '../../db/reward-points/read-points.ts';
import { readCreditScopeOfOrder } from '../../db/credit-stores/read-credit-scope.ts';
import { invalid } from '../../domain/errors.ts';
import { unitsPerWhole } from '../../domain/money/fixed-point.ts';
import { amount, toPlain, zero } from '../../domain/money/amount.ts';
import {
  leastPoints,
  pointsRules,
  pointsWithin,
  worthOf,
  type PointsRules,
} from '../../domain/reward-points/points-rules.ts';
import { givesFrom, skusIn, type Fresh } from './built-in.ts';
import type { CreditGift, CreditProvider, PointsOfOrder } from './credit-provider.ts';

const label = 'Reward points';
const code = 'reward_points';

/** The built-in reward points as a credit provider. */
export const createPoints = (em: Fresh): CreditProvider => ({
  code,
  kind: 'reward_points',
  label,
  isEnabled: (settings) => settings.flag('vendor_reward_points/general/enabled'),
  takesRefunds: () => false,

  async balances({ customerId, scope }) {
    const points = await findPoints(em(), customerId, scope.websiteId);
    if (points === undefined) return [];
    const rules = pointsRules(scope.settings);
    return [
      {
        kind: 'reward_points',
        providerCode: code,
        label,
        money: null,
        points,
        currencyCode: null,
        code: null,
        isRedeemable: points >= leastPoints(rules) && rules.valueOfPoint > 0,
        currencyValue: worthOf(points, rules),
        pointsPerCurrency: rules.valueOfPoint === zero ? null : unitsPerWhole / rules.valueOfPoint,
        expiresAt: null,
        details: { granularity: rules.granularity, minimum_points: rules.minimum },
      },
    ];
  },

  findCard: async () => undefined,

  async spendable({ customerId, scope }) {
    const points = customerId === null ? undefined : await findPoints(em(), customerId, scope.websiteId);
    if (points === undefined) return undefined;
    const { valueOfPoint, granularity, minimum, appliesAs } = pointsRules(scope.settings);
    return {
      kind: 'reward_points',
      providerCode: code,
      code: null,
      balance: zero,
      points: { balance: points, valueOfPoint, granularity, minimum },
      appliesAs,
      includesTax: scope.settings.flag('vendor_pos_terminal/credits/reward_points_includes_tax'),
      excludedSkus: skusIn(scope.settings.text('vendor_pos_terminal/credits/excluded_skus')),
      whyNot: valueOfPoint === zero ? 'Points are worth nothing here.' : null,
    };
  },

  ...givesFrom(em, async (tx, gift) => {
    const { customerId, websiteId, orderId, reason, key, origin } = gift;
    const scope = await readCreditScopeOfOrder(tx, orderId);
    const rules = scope && pointsRules(scope.settings);
    const kind = origin === 'new' ? ('refunded' as const) : ('returned' as const);
    const move = { customerId: customerId ?? 0, websiteId, kind, orderId, reason, key: `${kind}:${key}` };
    const moved = await movePoints(tx, { ...move, delta: () => pointsIn(gift, rules) });
    return {
      transactionId: `points-entry-${moved.entryId}`,
      remainingBalance: amount(moved.balanceAfter * unitsPerWhole),
    };
  }),

  async pointsOfOrder({ orderId, scope }) {
    const row = await readPointsOfOrder(em(), orderId, scope.websiteId);
    return row && pointsOfOrderFrom(row, pointsRules(scope.settings));
  },
});

/**
 * Without a number of points, it is computed from their present value. An amount that is not a whole number of steps
 * is refused: the customer would get less than the register is told.
 */
function pointsIn({ points, baseAmount }: CreditGift, rules: PointsRules | undefined): number {
  if (points !== null) return points;
  const given = rules ? pointsWithin(baseAmount, rules) : 0;
  if (!rules || given <= 0) throw invalid('This amount is less than one step of points.');
  if (worthOf(given, rules) !== baseAmount)
    throw invalid('Points are given in steps worth %1: %2 is not a multiple of that.', [
      toPlain(worthOf(rules.granularity, rules)),
      toPlain(baseAmount),
    ]);
  return given;
}

function whyVoided({ voided, owed }: PointsOfOrderRow): string | null {
  if (owed > 0)
    return `Points were voided for what was refunded. ${owed} of them were spent: later points pay for them.`;
  return voided > 0 ? 'Points were voided for what was refunded.' : null;
}

function pointsOfOrderFrom(row: PointsOfOrderRow, rules: PointsRules): PointsOfOrder {
  const figures = {
    earned: row.earned,
    voided: row.voided + row.owed,
    owed: row.owed,
    balanceAfter: row.balance,
    currencyValue: worthOf(row.earned - row.voided - row.owed, rules),
    granularity: rules.granularity,
  };
  if (row.customerId === null)
    return { ...figures, status: 'none', reason: 'An order without a customer earns no points.' };
  if (row.earned > 0)
    return {
      ...figures,
      status: 'earned',
      reason: whyVoided(row),
    };
  if (row.state === 'canceled')
    return { ...figures, status: 'earned', reason: 'The order was cancelled and earned no points.' };
  if (row.isPaid && !row.isDue) return { ...figures, status: 'earned', reason: 'Nothing in this order earned points.' };
  const reason = row.isPaid
    ? 'The points are booked within a minute.'
    : 'Points are earned when the order is paid in full.';
  return { ...figures, status: 'pending', reason };
}
