import type { MikroORM } from '@mikro-orm/postgresql';
import { readCreditScopeOfOrder } from '../../db/credit-stores/read-credit-scope.ts';
import { findGiftCard, type FoundGiftCard } from '../../db/gift-cards/find-gift-card.ts';
import { moveGiftCard } from '../../db/gift-cards/move-gift-card.ts';
import { movePoints } from '../../db/reward-points/move-points.ts';
import { findPoints, readPointsOfOrder, type PointsOfOrderRow } from '../../db/reward-points/read-points.ts';
import { addEntryWithin } from '../../db/store-credit/add-entry.ts';
import { findBalance } from '../../db/store-credit/read-balance.ts';
import type { ShopSettings } from '../../domain/configuration/setting-defaults.ts';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { invalid } from '../../domain/errors.ts';
import { whyNotSpendable } from '../../domain/gift-cards.ts';
import { amount, toPlain, unitsPerWhole, zero } from '../../domain/money.ts';
import { leastPoints, pointsRules, pointsWithin, worthOf, type PointsRules } from '../../domain/reward-points.ts';
import {
  givesFrom,
  skusIn,
  type CreditBalance,
  type CreditGift,
  type CreditProvider,
  type Fresh,
  type PointsOfOrder,
} from './credit-provider.ts';
import { createCreditService, type CreditServiceSettings } from './credit-service.ts';

const label = 'Gift card';
const code = 'gift_card';

/**
 * The built-in gift cards as a credit provider. A card belongs to the holder of its code, so a customer has no list
 * of cards.
 */
const createGiftCards = (em: Fresh): CreditProvider => ({
  code,
  kind: 'gift_card',
  label,
  isEnabled: (settings) => settings.flag('vendor_gift_card/general/enabled'),
  takesRefunds: () => false,
  balances: async () => [],

  async findCard(question) {
    const row = await findGiftCard(em(), question.code);
    return row && balanceOf(row, question.scope.websiteId);
  },

  async spendable(question) {
    const row = question.code === null ? undefined : await findGiftCard(em(), question.code);
    if (!row) return undefined;
    const { scope } = question;
    return {
      kind: 'gift_card',
      providerCode: code,
      code: row.code,
      balance: row.balance,
      points: null,
      appliesAs: 'tender',
      includesTax: scope.settings.flag('vendor_pos_terminal/credits/gift_card_includes_tax'),
      excludedSkus: skusIn(scope.settings.text('vendor_pos_terminal/credits/excluded_skus')),
      whyNot: whyNotHere(row, scope.websiteId),
    };
  },

  ...givesFrom(
    em,
    async (tx, { code: card, websiteId, baseAmount, baseCurrencyCode, orderId, reason, key, origin }) => {
      const kind = origin === 'new' ? ('refunded' as const) : ('returned' as const);
      const where = { code: card ?? '', websiteId, currencyCode: baseCurrencyCode, orderId, reason };
      const { entryId, balanceAfter } = await moveGiftCard(tx, {
        ...where,
        kind,
        delta: baseAmount,
        key: `${kind}:${key}`,
      });
      return { transactionId: `gift-card-entry-${entryId}`, remainingBalance: balanceAfter };
    },
  ),

  pointsOfOrder: async () => undefined,
});

const balanceOf = (row: FoundGiftCard, websiteId: number): CreditBalance => ({
  kind: 'gift_card',
  providerCode: code,
  label,
  money: row.balance,
  points: null,
  currencyCode: row.baseCurrencyCode,
  code: row.code,
  isRedeemable: whyNotHere(row, websiteId) === null,
  currencyValue: null,
  pointsPerCurrency: null,
  expiresAt: row.expiresAt,
  details: { state: row.isExpired ? 'expired' : row.state },
});

/** A card is valid only on its own website. */
const whyNotHere = (row: FoundGiftCard, websiteId: number) =>
  row.websiteId === websiteId ? lapse(row) : 'This gift card is not valid on this website.';

const lapse = (row: FoundGiftCard) =>
  whyNotSpendable({
    balance: row.balance,
    state: row.state,
    isExpired: row.isExpired,
    currencyCode: row.baseCurrencyCode,
  });

const pointsLabel = 'Reward points';
const pointsCode = 'reward_points';

/** The built-in reward points as a credit provider. */
const createPoints = (em: Fresh): CreditProvider => ({
  code: pointsCode,
  kind: 'reward_points',
  label: pointsLabel,
  isEnabled: (settings) => settings.flag('vendor_reward_points/general/enabled'),
  takesRefunds: () => false,

  async balances({ customerId, scope }) {
    const points = await findPoints(em(), customerId, scope.websiteId);
    if (points === undefined) return [];
    const rules = pointsRules(scope.settings);
    return [
      {
        kind: 'reward_points',
        providerCode: pointsCode,
        label: pointsLabel,
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
      providerCode: pointsCode,
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
  const pointsCredited = rules ? pointsWithin(baseAmount, rules) : 0;
  if (!rules || pointsCredited <= 0) throw invalid('This amount is less than one step of points.');
  if (worthOf(pointsCredited, rules) !== baseAmount)
    throw invalid('Points are given in steps worth %1: %2 is not a multiple of that.', [
      toPlain(worthOf(rules.granularity, rules)),
      toPlain(baseAmount),
    ]);
  return pointsCredited;
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

const walletLabel = 'Store credit';
const walletCode = 'store_credit';

/** The built-in wallet (spec 2.17, 4.11) as a credit provider. */
const createWallet = (em: Fresh): CreditProvider => ({
  code: walletCode,
  kind: 'store_credit',
  label: walletLabel,
  isEnabled: (settings) => settings.flag('vendor_store_credit/general/enabled'),
  takesRefunds: (settings) => settings.flag('vendor_store_credit/general/refunds_by_default'),

  async balances({ customerId, scope }) {
    const row = await findBalance(em(), customerId, scope.websiteId);
    const { amount } = row;
    return [
      {
        kind: 'store_credit',
        providerCode: walletCode,
        label: walletLabel,
        money: amount,
        points: null,
        currencyCode: row.baseCurrencyCode,
        code: null,
        isRedeemable: amount > 0,
        currencyValue: null,
        pointsPerCurrency: null,
        expiresAt: null,
        details: null,
      },
    ];
  },

  findCard: async () => undefined,

  async spendable({ customerId, scope }) {
    if (customerId === null) return undefined;
    const row = await findBalance(em(), customerId, scope.websiteId);
    const isOurs = row.baseCurrencyCode === scope.baseCurrencyCode;
    return {
      kind: 'store_credit',
      providerCode: walletCode,
      code: null,
      balance: row.amount,
      points: null,
      appliesAs: 'tender',
      includesTax: scope.settings.flag('vendor_pos_terminal/credits/store_credit_includes_tax'),
      excludedSkus: skusIn(scope.settings.text('vendor_pos_terminal/credits/excluded_skus')),
      whyNot: isOurs ? null : 'The balance is in another currency than this website has now.',
    };
  },

  ...givesFrom(em, async (tx, gift) => {
    const { customerId, websiteId, baseAmount: amount, reason, key } = gift;
    const entry = await addEntryWithin(tx, {
      customerId: customerId ?? 0,
      websiteId,
      operation: 'credit',
      amount,
      reason,
      source: gift.origin === 'new' ? 'credit refund' : 'order',
      idempotencyKey: null,
      bookingKey: key,
      actor: gift.actor ?? {},
    });
    return { transactionId: `store-credit-entry-${entry.entryId}`, remainingBalance: entry.balanceAfter };
  }),

  pointsOfOrder: async () => undefined,
});

/** The credit providers, in order of registration. */
export interface Credits {
  readonly all: readonly CreditProvider[];
  /** The providers that the merchant enabled. */
  enabled(settings: ShopSettings): CreditProvider[];
  /** The active one of a kind is the first enabled one (spec 4.6). */
  active(kind: CreditKind, settings: ShopSettings): CreditProvider | undefined;
  /** By its code, enabled or not: the credit it holds must still be given back. */
  named(code: string): CreditProvider | undefined;
}

export interface CreditParts {
  orm: MikroORM;
  /** An outside service that also keeps credit; undefined: none. */
  service: CreditServiceSettings | undefined;
}

/** The built-in providers, then the outside service. */
export const createCredits = ({ orm, service }: CreditParts): Credits => {
  const em = () => orm.em.fork();
  return creditsOf([
    createWallet(em),
    createGiftCards(em),
    createPoints(em),
    ...(service === undefined ? [] : [createCreditService(service)]),
  ]);
};

/** For tests and for other providers. Throws when two have the same code, which is a programming error. */
export function creditsOf(all: readonly CreditProvider[]): Credits {
  const byCode = new Map(all.map((provider) => [provider.code, provider]));
  if (byCode.size < all.length) throw new Error('two credit providers have one code');
  const enabled = (settings: ShopSettings) => all.filter((provider) => provider.isEnabled(settings));
  return {
    all,
    enabled,
    active: (kind, settings) => enabled(settings).find((provider) => provider.kind === kind),
    named: (code) => byCode.get(code),
  };
}
