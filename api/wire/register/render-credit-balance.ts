import { z } from 'zod';
import { toWire } from '../../../domain/money.ts';
import type { CreditBalance } from '../../../providers/credits/credit-provider.ts';
import { renderMoment } from './render-terminal.ts';

/** A balance at one provider (spec 2.10). Points go by their other name here, as the interface has it. */
export const creditBalanceAnswer = z
  .object({
    type: z.enum(['store_credit', 'gift_card', 'loyalty_points']),
    provider: z.string(),
    label: z.string(),
    balance: z.number(),
    currency: z.string().nullable(),
    code: z.string().nullable(),
    is_redeemable: z.boolean(),
    currency_value: z.number().nullable(),
    points_per_currency: z.number().nullable(),
    expires_at: z.string().nullable(),
    details: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'CreditBalance' });

export const renderCreditBalance = (balance: CreditBalance): z.input<typeof creditBalanceAnswer> => ({
  type: balance.kind === 'reward_points' ? 'loyalty_points' : balance.kind,
  provider: balance.providerCode,
  label: balance.label,
  balance: balance.points ?? (balance.money === null ? 0 : toWire(balance.money)),
  currency: balance.currencyCode,
  code: balance.code,
  is_redeemable: balance.isRedeemable,
  currency_value: balance.currencyValue === null ? null : toWire(balance.currencyValue),
  points_per_currency: balance.pointsPerCurrency,
  expires_at: renderMoment(balance.expiresAt),
  details: balance.details,
});
