import { z } from 'zod';
import { toWire } from '../../../domain/money.ts';
import type { CreditBalance } from '../../../providers/credits/credit-provider.ts';
import { amount, derived, fieldsOf, momentOrNull, named, orNull } from '../fields.ts';

/** A balance at one provider (spec 2.10). Points go by their other name here, as the interface has it. */
export const { answer: creditBalanceAnswer, render: renderCreditBalance } = fieldsOf(
  {
    type: {
      ...named('kind', z.enum(['store_credit', 'gift_card', 'loyalty_points'])),
      show: (kind: CreditBalance['kind']) => (kind === 'reward_points' ? 'loyalty_points' : kind),
    },
    provider: named('providerCode', z.string()),
    label: z.string(),
    balance: derived(({ points, money }: CreditBalance) => points ?? (money === null ? 0 : toWire(money)), z.number()),
    currency: named('currencyCode', z.string().nullable()),
    code: z.string().nullable(),
    is_redeemable: z.boolean(),
    currency_value: orNull(amount()),
    points_per_currency: z.number().nullable(),
    expires_at: momentOrNull(),
    details: z.record(z.string(), z.unknown()).nullable(),
  },
  'CreditBalance',
);
