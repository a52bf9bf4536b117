import { addEntryWithin } from '../../db/store-credit/add-entry.ts';
import { findBalance } from '../../db/store-credit/wallet.repository.ts';
import { givesFrom, skusIn, type Fresh } from './built-in.ts';
import type { CreditProvider } from './credit-provider.ts';

const label = 'Store credit';
const code = 'store_credit';

/** The built-in wallet (spec 2.17, 4.11) as a credit provider. */
export const createWallet = (em: Fresh): CreditProvider => ({
  code,
  kind: 'store_credit',
  label,
  isEnabled: (settings) => settings.flag('vendor_store_credit/general/enabled'),
  takesRefunds: (settings) => settings.flag('vendor_store_credit/general/refunds_by_default'),

  async balances({ customerId, scope }) {
    const row = await findBalance(em(), customerId, scope.websiteId);
    const { amount } = row;
    return [
      {
        kind: 'store_credit',
        providerCode: code,
        label,
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
      providerCode: code,
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
