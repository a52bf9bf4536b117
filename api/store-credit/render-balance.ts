import { z } from 'zod';
import type { Balance } from '../../db/store-credit/read-balance.ts';
import { toWire } from '../../domain/money.ts';
import { renderMoment } from '../wire/register/render-terminal.ts';

/** A wallet's balance (spec 2.17); `updated_at` is null where nothing was ever booked. */
export const balanceAnswer = z
  .object({
    customer_id: z.int(),
    website_id: z.int(),
    amount: z.number(),
    base_currency_code: z.string(),
    updated_at: z.string().nullable(),
  })
  .meta({ id: 'WalletBalance' });

export const renderBalance = (row: Balance): z.input<typeof balanceAnswer> => ({
  customer_id: row.customerId,
  website_id: row.websiteId,
  amount: toWire(row.amount),
  base_currency_code: row.baseCurrencyCode,
  updated_at: renderMoment(row.updatedAt),
});
