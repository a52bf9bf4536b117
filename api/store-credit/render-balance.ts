import { z } from 'zod';
import type { BalanceRow } from '../../db/store-credit/wallet.repository.ts';
import { renderMoment } from '../support/register/render-moment.ts';

/** A wallet's balance (spec 2.17); `updated_at` is null where nothing was ever booked. */
export const balanceAnswer = z.object({
  customer_id: z.int(),
  website_id: z.int(),
  amount: z.number(),
  base_currency_code: z.string(),
  updated_at: z.string().nullable(),
});

export const renderBalance = (row: BalanceRow): z.input<typeof balanceAnswer> => ({
  customer_id: row.customer_id,
  website_id: row.website_id,
  amount: Number(row.amount),
  base_currency_code: row.base_currency_code,
  updated_at: renderMoment(row.updated_at),
});
