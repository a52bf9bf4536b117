import { findGiftCard, type FoundGiftCard } from '../../db/gift-cards/find-gift-card.ts';
import { moveGiftCard } from '../../db/gift-cards/move-gift-card.ts';
import { whyNotSpendable } from '../../domain/gift-cards/gift-card.ts';
import { givesFrom, skusIn, type Fresh } from './built-in.ts';
import type { CreditBalance, CreditProvider } from './credit-provider.ts';

const label = 'Gift card';
const code = 'gift_card';

/**
 * The built-in gift cards as a credit provider. A card belongs to the holder of its code, so a customer has no list
 * of cards.
 */
export const createGiftCards = (em: Fresh): CreditProvider => ({
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
