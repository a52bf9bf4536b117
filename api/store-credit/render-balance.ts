import { z } from 'zod';
import { amount, fieldsOf, momentOrNull } from '../wire/fields.ts';

/** A wallet's balance (spec 2.17); `updated_at` is null where nothing was ever booked. */
export const { answer: balanceAnswer, render: renderBalance } = fieldsOf(
  {
    customer_id: z.int(),
    website_id: z.int(),
    amount: amount(),
    base_currency_code: z.string(),
    updated_at: momentOrNull(),
  },
  'WalletBalance',
);
