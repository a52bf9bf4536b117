import { z } from 'zod';
import type { Entry } from '../../db/store-credit/wallet.repository.ts';
import { toWire } from '../../domain/money/amount.ts';
import { renderMoment } from '../wire/register/render-moment.ts';

/**
 * An entry of a wallet's ledger with its actor (spec 2.17). `event_type` is 1 for a credit, 2 for a debit and 3 for an
 * adjustment; `api_user` names the user of an integration's token.
 */
export const entryAnswer = z
  .object({
    entry_id: z.int(),
    customer_id: z.int(),
    website_id: z.int(),
    event_type: z.int(),
    delta: z.number(),
    balance_after: z.number(),
    base_currency_code: z.string(),
    reason: z.string(),
    source: z.string().nullable(),
    idempotency_key: z.string().nullable(),
    admin_user_id: z.int().nullable(),
    api_user: z.object({ user_type: z.string(), user_id: z.int() }).nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'WalletEntry' });

export const renderEntry = (row: Entry): z.input<typeof entryAnswer> => ({
  entry_id: Number(row.entryId),
  customer_id: row.customerId,
  website_id: row.websiteId,
  event_type: row.eventType,
  delta: toWire(row.delta),
  balance_after: toWire(row.balanceAfter),
  base_currency_code: row.baseCurrencyCode,
  reason: row.reason,
  source: row.source,
  idempotency_key: row.idempotencyKey,
  admin_user_id: row.adminUserId,
  api_user: apiUserOf(row),
  created_at: renderMoment(row.createdAt),
});

const apiUserOf = ({ apiUserType, apiUserId }: Entry) =>
  apiUserType === null || apiUserId === null ? null : { user_type: apiUserType, user_id: apiUserId };
